import { isFields, textOf } from './message-shapes.ts';
import type { Fields } from './message-shapes.ts';
import { parsed } from './message-list.ts';

/** A document that a retriever found. */
export interface FoundDocument {
  id: string | null;
  title: string | null;
  text: string;
  /** As the store gives it: a similarity or a distance. */
  score: number | null;
  /** What else is known of it. */
  metadata: Fields;
}

const lists = ['documents', 'results', 'matches', 'hits', 'nodes', 'data', 'chunks', 'source_documents', 'points'];

/**
 * The documents in the result of a retriever: of LangChain, LlamaIndex, OpenInference, Haystack, Pinecone, Qdrant, Chroma-like and plain lists of texts
 * with scores.
 *
 * @returns null if the value is no list of documents
 */
export function readDocuments(value: unknown): FoundDocument[] | null {
  const found = parsed(value);
  if (isFields(found)) {
    for (const name of lists) {
      const within = found[name];
      if (Array.isArray(within)) return readDocuments(within);
    }
    return null;
  }
  if (!Array.isArray(found) || found.length === 0) return null;
  const documents: FoundDocument[] = [];
  for (const one of found as unknown[]) {
    const document = readDocument(one);
    if (document === null) return null;
    documents.push(document);
  }
  return documents;
}

function readDocument(value: unknown): FoundDocument | null {
  // LangChain's pairs of a document and its score.
  if (Array.isArray(value) && value.length === 2 && isFields(value[0]) && typeof value[1] === 'number') {
    const document = readDocument(value[0]);
    return document && { ...document, score: document.score ?? value[1] };
  }
  if (!isFields(value) || typeof value['role'] === 'string') return null;
  const inner = [value['document'], value['node'], value['kwargs'], value['payload'], value['_source']].find(isFields) ?? value;
  const metadata = [inner['metadata'], inner['meta'], inner['metadatas'], value['metadata']].find(isFields) ?? {};
  const names = ['pageContent', 'page_content', 'content', 'text', 'document.content', 'body', 'snippet', 'chunk'];
  const text = textOf(...[inner, value, metadata].flatMap((fields) => names.map((name) => fields[name])), value['document']);
  if (text === null) return null;
  const score = [value, inner].flatMap((fields) =>
    ['score', 'document.score', 'similarity', 'distance', 'relevance_score', '_score', '@search.score'].map(
      (name) => fields[name],
    ),
  );
  const id = [inner['id'], inner['document.id'], value['id'], value['_id'], inner['id_']].find(
    (one) => typeof one === 'string' || typeof one === 'number',
  );
  const document = {
    id: id === undefined ? null : String(id),
    title: textOf(
      inner['title'],
      metadata['title'],
      metadata['source'],
      metadata['url'],
      metadata['file_name'],
      inner['source'],
      inner['url'],
    ),
    text,
    score: (score.find((one) => typeof one === 'number') as number | undefined) ?? null,
    metadata,
  };
  // A text alone may be any object.
  const isDocument =
    document.score !== null ||
    document.id !== null ||
    document.title !== null ||
    Object.keys(metadata).length > 0 ||
    'pageContent' in inner ||
    'page_content' in inner ||
    'document.content' in inner;
  return isDocument ? document : null;
}
