import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { markCopies, restoreCopies } from './payload-copies.ts';

const messages = JSON.stringify([{ role: 'user', content: `Is there "more"? \u0001 ${'Tell me. '.repeat(60)}` }]);
const text = JSON.stringify('A long answer. '.repeat(40));

test('copies of payloads in the attributes are not stored, as text, as JSON and as text that contains JSON', () => {
  const attributes = `{"a":${JSON.stringify(messages)},"b":${messages},"c":${text},"d":1,"e":${JSON.stringify(messages)}}`;
  const stored = { input: messages, output: text, attributes: markCopies({ input: messages, output: text, attributes }) };
  expect(stored.attributes).toBe('{"a":\u0002,"b":\u0001,"c":\u0003,"d":1,"e":\u0002}');
  expect(restoreCopies(stored)).toBe(attributes);
});

test('copies of the components of an input are not stored: instructions as a text or as parts, and messages', () => {
  const said = JSON.stringify([{ role: 'user', content: `What is [this]? ${'Tell me. '.repeat(60)}` }]);
  const brief = JSON.stringify(`Be brief \\" [ ${'and friendly '.repeat(60)}`);
  const parts = JSON.stringify([
    { type: 'text', content: ']"' },
    { type: 'text', content: 'Be brief. '.repeat(60) },
  ]);
  const stored = (instructions: string, sent: string) => {
    const input = `[{"role":"system","parts":${instructions}},${said.slice(1)}`;
    const attributes = `{"a":${sent},"b":${JSON.stringify(said)},"c":${said}}`;
    const marked = { input, output: '', attributes: markCopies({ input, output: '', attributes }) };
    expect(restoreCopies(marked)).toBe(attributes);
    return marked.attributes;
  };
  expect(stored(`[{"type":"text","content":${brief}}]`, brief)).toBe('{"a":\u0010,"b":\u0006,"c":\u0005}');
  expect(stored(parts, parts)).toBe('{"a":\u000e,"b":\u0006,"c":\u0005}');
  expect(stored(parts, JSON.stringify(parts))).toBe('{"a":\u000f,"b":\u0006,"c":\u0005}');
});

test('short payloads, lone surrogates and attributes that contain marks stay unchanged', () => {
  const kept = (input: string, attributes: string) => expect(markCopies({ input, output: '', attributes })).toBe(attributes);
  kept('"short"', '{"a":"short"}');
  const broken = JSON.stringify(`\ud800${'x'.repeat(300)}`).replace('\\ud800', '\ud800');
  kept(broken, `{"a":${JSON.stringify(broken)}}`);
  kept(text, `{"\u0001":${text}}`);
});

test('a payload of millions of equal characters is searched in bounded time', () => {
  const input = `${'['.repeat(1_000_000)}1${']'.repeat(1_000_000)}`;
  const attributes = `{"a":${JSON.stringify(input)},"b":"${'['.repeat(250_000)}${']'.repeat(4_000_000)}","c":${input}}`;
  const stored = { input, output: '', attributes: markCopies({ input, output: '', attributes }) };
  expect(stored.attributes.startsWith('{"a":"\u0001","b":"[[')).toBe(true);
  expect(restoreCopies(stored) === attributes).toBe(true);
});

const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value));
/** Long enough to be marked, and of few letters, so that one is often contained in another. */
const payload = fc.oneof(
  json,
  fc
    .string({ minLength: 250, maxLength: 600, unit: fc.constantFrom('a', '"', '\\', '$', '&', 'é', ' ') })
    .map((value) => JSON.stringify(value)),
);

/** Composed like an input with instructions, or almost. */
const instructedPayload = fc
  .tuple(payload, payload, fc.constantFrom(']},', ']}]', ']', '},', ''), fc.boolean())
  .map(([instructions, messages, between, asText]) => {
    const parts = asText ? `[{"type":"text","content":${instructions}}` : `[${instructions}`;
    return `[{"role":"system","parts":${parts}${between}${messages}]`;
  });

test('any attributes are restored exactly', () => {
  fc.assert(
    fc.property(fc.oneof(payload, instructedPayload), payload, fc.array(fc.nat(8), { maxLength: 6 }), (input, output, parts) => {
      const said = [
        input,
        output,
        JSON.stringify(input),
        JSON.stringify(output),
        JSON.stringify(`${input}${output}`),
        '"$&"',
        '[1]',
        input.slice(input.indexOf('content":') + 9, -3),
        `[${input.slice(input.indexOf('},') + 2)}`,
      ];
      const attributes = `{${parts.map((part, index) => `"k${index}":${said[part]}`).join(',')}}`;
      expect(restoreCopies({ input, output, attributes: markCopies({ input, output, attributes }) })).toBe(attributes);
    }),
    { numRuns: 500 },
  );
});
