import type { SpanKind } from '../../../contract/kinds.ts';
import { isRecord } from '../../../platform/json/index.ts';
import { label, labelOf, record, tokensIn, tokensOf } from '../readers/attribute-readers.ts';
import type { Convention, Reader } from '../readers/convention.ts';
import { jsonText } from '../readers/parse-json.ts';
import { jsonPayload } from '../readers/payload-json.ts';
import type { SpanView } from '../readers/span-view.ts';

const kinds: ReadonlyMap<unknown, SpanKind> = new Map<unknown, SpanKind>([
  ['model', 'llm'],
  ['background-model', 'llm'],
  ['embedder', 'embedding'],
  ['tool', 'tool'],
  ['tool.v2', 'tool'],
  ['retriever', 'retriever'],
  ['reranker', 'retriever'],
  ['evaluator', 'evaluator'],
  ['agent', 'agent'],
  ['flow', 'chain'],
  ['action', 'chain'],
  ['prompt', 'chain'],
  ['executable-prompt', 'chain'],
]);

/** The name of a model or embedder with its plugin in front, `openai/gpt-4o`; undefined for other spans. */
function modelPath(value: unknown, span: SpanView): { plugin: string; model: string } | undefined {
  const kind = kinds.get(span.get('genkit:metadata:subtype'));
  const name = kind === 'llm' || kind === 'embedding' ? labelOf(value) : undefined;
  if (name === undefined) return undefined;
  const slash = name.indexOf('/');
  return { plugin: name.slice(0, Math.max(slash, 0)), model: name.slice(slash + 1) };
}

/** The message of a response, without its envelope. */
const output: Reader<string> = (value, span) => {
  const message = record(value, span)?.['message'];
  return (isRecord(message) ? jsonText(message) : undefined) ?? jsonPayload(value, span);
};

/** Whether thinking tokens are not part of the output tokens, as in Gemini's plugin; derived from the total. */
const thoughtsOutsideOutput: Reader<boolean> = (value, span) => {
  const usage = record(value, span)?.['usage'];
  if (!isRecord(usage)) return undefined;
  const [input, output, thoughts] = ['inputTokens', 'outputTokens', 'thoughtsTokens'].map((name) => tokensOf(usage[name]) ?? 0);
  const total = tokensOf(usage['totalTokens']);
  if (input === undefined || output === undefined || thoughts === undefined || thoughts === 0) return undefined;
  return thoughts > output || total === input + output + thoughts ? true : undefined;
};

/** Genkit; inputs and outputs are JSON text. */
export const convention: Convention = {
  name: 'genkit',
  fields: {
    kind: { 'genkit:metadata:subtype': (value) => kinds.get(value) },
    requestModel: { 'genkit:name': (value, span) => modelPath(value, span)?.model },
    provider: { 'genkit:name': (value, span) => modelPath(value, span)?.plugin || undefined },
    input: { 'genkit:input': jsonPayload },
    output: { 'genkit:output': output },
    inputTokens: { 'genkit:output': tokensIn(['usage', 'inputTokens']) },
    outputTokens: { 'genkit:output': tokensIn(['usage', 'outputTokens']) },
    cachedTokens: { 'genkit:output': tokensIn(['usage', 'cachedContentTokens']) },
    reasoningTokens: { 'genkit:output': tokensIn(['usage', 'thoughtsTokens']) },
    reasoningOutsideOutput: { 'genkit:output': thoughtsOutsideOutput },
    sessionId: { 'genkit:sessionId': label },
  },
};
