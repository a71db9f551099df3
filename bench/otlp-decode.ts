import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { decodeOtlpProtobuf } from '../src/features/otlp/wire/decode-protobuf.ts';
import { readOtlpTraces } from '../src/features/otlp/index.ts';
import { decodeRequest, encodeRequest } from '../test/support/otlp-oracle.ts';

/**
 * Decoding bodies of 512 spans, and turning them into records, compared with protobufjs on the same bytes. One body is recorded and repeats
 * its attribute values; in the other, numbers, ids and messages differ in every span. The rounds alternate, so that other load slows all
 * alike; the best round counts. Takes about 8 s.
 */
const recorded = readFileSync(fileURLToPath(new URL('../test/fixtures/otlp/sdk-512-proto.01.bin', import.meta.url)));
const spans = 512;
const nowMs = Date.UTC(2026, 10, 22);
const options = { nowMs, oldestMs: Date.UTC(2026, 0, 1) };
const rounds = 10;
const roundMs = 120;

/** A body with 25 attributes a span, 9 of which differ in every span, and 1.5 KB of messages. */
function variedBody(): Buffer {
  const words =
    'the order has left the warehouse and will be with you before the end of next week unless it "snows" again\n'.split(' ');
  const say = (seed: number): string =>
    Array.from({ length: 130 }, (_unused, at) => words[(seed * 31 + at * (seed % 7)) % words.length]).join(' ');
  const text = (key: string, stringValue: string): object => ({ key, value: { stringValue } });
  const count = (key: string, value: number): object => ({ key, value: { intValue: String(value) } });
  const id = (seed: number, length: number): string => (seed + 1).toString(16).padStart(length, '5');
  const fixed = Array.from({ length: 13 }, (_unused, at) => text(`app.setting.number_${at}`, `value ${at}`));
  const made = Array.from({ length: spans }, (_unused, seed) => ({
    traceId: id(seed, 32),
    spanId: id(seed, 16),
    name: 'chat gpt-5.4-mini',
    kind: 3,
    startTimeUnixNano: `${nowMs - seed}000123`,
    endTimeUnixNano: `${nowMs + seed}000456`,
    attributes: [
      text('gen_ai.operation.name', 'chat'),
      text('gen_ai.provider.name', 'openai'),
      text('gen_ai.request.model', 'gpt-5.4-mini'),
      text('gen_ai.response.id', `chatcmpl-${id(seed * 7919, 24)}`),
      text('gen_ai.conversation.id', `session-${id(seed * 104_729, 16)}`),
      text('user.id', `user-${seed * 31}`),
      count('gen_ai.usage.input_tokens', 10_000 + seed * 13),
      count('gen_ai.usage.output_tokens', 500 + seed * 7),
      count('gen_ai.usage.cache_read.input_tokens', 1000 + seed),
      { key: 'gen_ai.response.time_to_first_chunk', value: { doubleValue: seed / 997 } },
      text('gen_ai.input.messages', JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: say(seed) }] }])),
      text('gen_ai.output.messages', JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: say(seed + 3) }] }])),
      ...fixed,
    ],
  }));
  return encodeRequest({ resourceSpans: [{ resource: {}, scopeSpans: [{ scope: { name: 'varied' }, spans: made }] }] });
}

function measure(title: string, body: Buffer): void {
  const ways = {
    'protobufjs decode': () => decodeRequest(body),
    decode: () => decodeOtlpProtobuf(body, spans),
    'decode and normalise': () => readOtlpTraces(body, 'protobuf', options),
  };
  type Way = keyof typeof ways;
  const best: Record<Way, number> = { 'protobufjs decode': 0, decode: 0, 'decode and normalise': 0 };
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(ways) as [Way, () => unknown][]) {
      const start = performance.now();
      let bodies = 0;
      while (performance.now() - start < roundMs) {
        run();
        bodies++;
      }
      best[name] = Math.max(best[name], (bodies * spans * 1000) / (performance.now() - start));
    }
  }
  console.log(`${title}: ${body.length} bytes`);
  for (const [name, rate] of Object.entries(best)) {
    const ratio = rate / best['protobufjs decode'];
    const figures = [`${Math.round(rate)} spans/s`, `${(1e6 / rate).toFixed(1)} us/span`, `${ratio.toFixed(2)} x`];
    console.log(`  ${name.padEnd(22)}${figures.map((figure) => figure.padStart(17)).join('')}`);
  }
}

measure('recorded', recorded);
measure('varied', variedBody());
