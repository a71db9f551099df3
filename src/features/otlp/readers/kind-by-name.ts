import { spanKinds, type SpanKind } from '../../../contract/kinds.ts';
import type { Reader } from './convention.ts';
import { parseJson } from './parse-json.ts';

/** Kinds that other systems name differently: docs/semantics.md, "Span kinds". */
const otherNames: Readonly<Record<string, SpanKind>> = {
  generation: 'llm',
  chat_model: 'llm',
  completion: 'llm',
  chat: 'llm',
  embeddings: 'embedding',
  prompt: 'chain',
  parser: 'chain',
  workflow: 'chain',
  task: 'chain',
  reranker: 'retriever',
  rerank: 'retriever',
  retrieval: 'retriever',
  evaluation: 'evaluator',
  event: 'span',
};

const kinds = new Map<string, SpanKind>([...Object.entries(otherNames), ...spanKinds.map((kind) => [kind, kind] as const)]);

/** Reads a span kind by its name in any system, ignoring case; an unknown name is `span`. */
export const kindByName: Reader<SpanKind> = (value) => {
  if (typeof value !== 'string' || value === '') return undefined;
  // MLflow encodes the name as a JSON string.
  const parsed = value.startsWith('"') ? parseJson(value) : value;
  return kinds.get(String(parsed).toLowerCase()) ?? 'span';
};
