import type { SpanKind } from '../../../contract/kinds.ts';
import { isRecord } from '../../../platform/json/index.ts';
import { commaTags, label, numberOf, record, tokensOf } from '../readers/attribute-readers.ts';
import type { Convention, Reader } from '../readers/convention.ts';
import { kindByName } from '../readers/kind-by-name.ts';
import { jsonText } from '../readers/parse-json.ts';
import { payload } from '../readers/payload-json.ts';

/** Reads `{"type": ..., "value": ...}` as its value. */
const unwrapped: Reader<string> = (value, span) => {
  const wrapper = record(value, span);
  if (wrapper === undefined || typeof wrapper['type'] !== 'string' || !('value' in wrapper)) return payload(value, span);
  const inner = wrapper['value'];
  if (inner === null || inner === undefined || inner === '') return undefined;
  return typeof inner === 'string' ? payload(inner, span) : jsonText(inner);
};

function metric<T>(name: string, read: (value: unknown) => T | undefined): Reader<T> {
  return (value, span) => {
    const metrics = record(value, span);
    const inner = metrics?.['value'];
    return read((isRecord(inner) ? inner : metrics)?.[name]);
  };
}

const metrics = 'langwatch.metrics';
const kinds: ReadonlyMap<unknown, SpanKind> = new Map<unknown, SpanKind>([['rag', 'retriever']]);

/** LangWatch's SDKs. */
export const convention: Convention = {
  name: 'langwatch',
  fields: {
    kind: {
      'langwatch.span.type': (value, span) => kinds.get(value) ?? (value === 'span' ? undefined : kindByName(value, span)),
    },
    input: { 'langwatch.input': unwrapped },
    output: {
      'langwatch.output': unwrapped,
      'langwatch.contexts': (value, span) => (span.kind === 'retriever' ? unwrapped(value, span) : undefined),
    },
    inputTokens: { [metrics]: metric('promptTokens', tokensOf) },
    outputTokens: { [metrics]: metric('completionTokens', tokensOf) },
    costUsd: { [metrics]: metric('cost', (value) => numberOf(value)) },
    sessionId: { 'langwatch.thread.id': label },
    userId: { 'langwatch.user.id': label },
    tags: { 'langwatch.labels': commaTags },
  },
};
