import { spanKinds, type SpanKind } from '../../../contract/kinds.ts';
import type { Reader } from './convention.ts';
import { parseJson } from './parse-json.ts';

/** Kinds of other systems that the contract does not have, or has by another name (contract section 3). */
const foreign: Readonly<Record<string, SpanKind>> = {
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

const kinds = new Map<string, SpanKind>([...Object.entries(foreign), ...spanKinds.map((kind) => [kind, kind] as const)]);

/** The kind that a convention names in so many words; one that nobody knows is a `span`. */
export const foreignKind: Reader<SpanKind> = (value) => {
  if (typeof value !== 'string' || value === '') return undefined;
  // MLflow writes it as a JSON string.
  const parsed = value.startsWith('"') ? parseJson(value) : value;
  return kinds.get(String(parsed).toLowerCase()) ?? 'span';
};
