import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { traceRequestType } from './trace-request-type.ts';

/**
 * Gzipped OTLP bodies of 512 lean spans (25 attributes), made from a recorded one with new ids and recent times.
 *
 * @param spansATrace spans of one trace; they share a parent span that is never sent
 * @param change edits the spans of each body
 */
export function otlpBodies(count: number, spansATrace = 8, change: (spans: readonly Span[]) => void = () => undefined): Buffer[] {
  const recorded = readFileSync(join(import.meta.dirname, '../test/fixtures/otlp/sdk-512-proto.01.bin'));
  const now = BigInt(Date.now()) * 1_000_000n;
  return Array.from({ length: count }, () => {
    const message = traceRequestType.decode(recorded) as unknown as Request;
    const spans = message.resourceSpans.flatMap((resource) => resource.scopeSpans.flatMap((scope) => scope.spans));
    let trace = { traceId: randomBytes(16), parentSpanId: randomBytes(8) };
    for (const [index, span] of spans.entries()) {
      if (index % spansATrace === 0) trace = { traceId: randomBytes(16), parentSpanId: randomBytes(8) };
      const startTimeUnixNano = String(now - BigInt(index + 1) * 1_000_000n);
      Object.assign(span, trace, { spanId: randomBytes(8), startTimeUnixNano, endTimeUnixNano: String(now) });
    }
    change(spans);
    return gzipSync(traceRequestType.encode(traceRequestType.fromObject(message)).finish());
  });
}

/**
 * Gzipped OTLP bodies of 512 spans as agents send them: conversations of 8 calls. Each call repeats the system prompt (2 KB, one of five) and all
 * messages before it.
 */
export function conversationBodies(count: number): Buffer[] {
  return otlpBodies(count, 8, (spans) => {
    let said: object[] = [];
    for (const [index, span] of spans.entries()) {
      if (index % 8 === 0) said = [{ role: 'system', content: systemPrompts[(index / 8) % systemPrompts.length] }];
      said.push({ role: 'user', content: sentences(20) });
      const answer = { role: 'assistant', content: sentences(60) };
      const replaced = new Map([
        ['gen_ai.input.messages', JSON.stringify(said)],
        ['gen_ai.output.messages', JSON.stringify([answer])],
      ]);
      span.attributes = span.attributes.map((attribute) => {
        const stringValue = replaced.get(attribute.key);
        return stringValue === undefined ? attribute : { ...attribute, value: { stringValue } };
      });
      said.push(answer);
    }
  });
}

const vocabulary =
  'the order was not found because a customer asked for another address before it had been shipped and we can refund or replace what is missing within ten days of delivery'.split(
    ' ',
  );
const sentences = (words: number) =>
  Array.from({ length: words }, () => vocabulary[Math.floor(Math.random() * vocabulary.length)]).join(' ');
const systemPrompts = Array.from({ length: 5 }, () => sentences(360));

/** Uncompressed OTLP bodies of one lean span each, as a client without a batch processor sends them. */
export function singleSpanBodies(count: number): Buffer[] {
  const recorded = readFileSync(join(import.meta.dirname, '../test/fixtures/otlp/sdk-512-proto.01.bin'));
  const message = traceRequestType.decode(recorded) as unknown as Request;
  const [resource] = message.resourceSpans;
  const [scope] = resource?.scopeSpans ?? [];
  const [span] = scope?.spans ?? [];
  if (!resource || !scope || !span) throw new Error('the recorded request has no span');
  const now = BigInt(Date.now()) * 1_000_000n;
  Object.assign(span, { startTimeUnixNano: String(now - 1_000_000n), endTimeUnixNano: String(now) });
  scope.spans = [span];
  resource.scopeSpans = [scope];
  message.resourceSpans = [resource];
  return Array.from({ length: count }, () => {
    Object.assign(span, { traceId: randomBytes(16), spanId: randomBytes(8) });
    return Buffer.from(traceRequestType.encode(traceRequestType.fromObject(message)).finish());
  });
}

interface Span {
  attributes: Array<{ key: string; value: object }>;
}

interface Request {
  resourceSpans: Array<{ scopeSpans: Array<{ spans: Span[] }> }>;
}
