import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { turnsUntil } from '../../platform/jobs/turns-until.fixture.ts';
import { ItemTexts } from './item-texts.ts';
import { readItemsRequest } from './payload-texts.ts';
import { layoutOf } from './row-layout.ts';

const itemTexts = new ItemTexts();
afterAll(() => itemTexts.close());

/** An object with many distinct member names, the worst case of JSON.parse. */
function distinctMembers(count: number): string {
  return `{${Array.from({ length: count }, (_, index) => `"name${index}":${index}`).join(',')}}`;
}

const json = fc.json({ maxDepth: 4 });
const payloads = fc.record(
  {
    input: json,
    expectedOutput: json,
    output: json,
    metadata: fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value)),
  },
  { requiredKeys: [] },
);
type Payloads = Partial<Record<'input' | 'expectedOutput' | 'output' | 'metadata', string>>;
const compact = (given: Payloads) =>
  Object.fromEntries(Object.entries(given).map(([name, text]) => [name, JSON.stringify(JSON.parse(text))]));
const objectOf = (given: Payloads) =>
  `{${Object.entries(given)
    .map(([name, text]) => `"${name}":${text}`)
    .join(',')}}`;

describe('readItemsRequest', () => {
  test('extracts every free-form field as the text that JSON.stringify writes, and keeps the rest', () => {
    fc.assert(
      fc.property(fc.array(payloads, { maxLength: 4 }), (items) => {
        const body = Buffer.from(`{"projectId":"p","items":[${items.map(objectOf).join(',')}]}`);
        const read = readItemsRequest(body);
        expect(read.payloads).toEqual(items.map(compact));
        const left = items.map((item) =>
          Object.fromEntries(Object.keys(item).map((name) => [name, name === 'metadata' ? {} : null])),
        );
        expect(read.body).toEqual({ projectId: 'p', items: left });
      }),
    );
  });

  test('a body without items is one item', () => {
    fc.assert(
      fc.property(payloads, (item) => {
        expect(readItemsRequest(Buffer.from(objectOf(item))).payloads).toEqual([compact(item)]);
      }),
    );
  });

  test('keeps little of what the schema rejects', () => {
    const nested = (value: string) => `{"x":{"y":{"z":{"deep":${value}}}}}`;
    for (const body of [
      distinctMembers(1000),
      `[${distinctMembers(1000)}]`,
      `{"items":[${distinctMembers(1000)}],"source":${distinctMembers(1000)}}`,
      `{"items":[{"__proto__":[${'1,'.repeat(1000)}1],"metadata":[${'1,'.repeat(1000)}1]}]}`,
      nested(distinctMembers(1000)),
      `{"items":[${nested(distinctMembers(1000))}]}`,
    ]) {
      const { body: read } = readItemsRequest(Buffer.from(body));
      expect(JSON.stringify(read).length).toBeLessThan(1500);
    }
    const { body: read, payloads } = readItemsRequest(Buffer.from(`{"items":[${'{},'.repeat(5000)}{}]}`));
    expect(read).toEqual({ items: Array.from({ length: 1001 }, () => ({})) });
    expect(payloads).toHaveLength(1001);
  });

  test('metadata that is not an object stays, for the schema to reject', () => {
    expect(readItemsRequest(Buffer.from('{"input":1,"metadata":[1]}'))).toEqual({
      body: { input: null, metadata: [1] },
      payloads: [{ input: '1' }],
    });
  });

  test.each(['1', '[]', 'null', '{"items":1}', '{"items":[1,null]}'])('%s is left to the schema', (text) => {
    expect(readItemsRequest(Buffer.from(text)).body).toEqual(JSON.parse(text));
  });

  test.each(['{', '\xff'])('%j is refused', (text) => {
    expect(() => readItemsRequest(Buffer.from(text, 'latin1'))).toThrow('The body is not valid JSON');
  });
});

describe('ItemTexts', () => {
  const members = distinctMembers(60_000);

  test('a body that is slow to parse is read in another thread, to the same texts', async () => {
    const body = Buffer.from(`{"items":[{"input":${members},"metadata":{"id":12345678901234567890}}]}`);
    const reading = itemTexts.request(body, 'p');
    expect(await turnsUntil(reading)).toBeGreaterThan(0);
    expect(await reading).toEqual(readItemsRequest(body));
  });

  test('a refusal from the thread keeps code, message and details', async () => {
    await expect(itemTexts.request(Buffer.from(`{"input":${members}`), 'p')).rejects.toMatchObject({ code: 'invalid_request' });
    const deep = Buffer.from(`{"input":[${members},${'['.repeat(200)}${']'.repeat(200)}]}`);
    await expect(itemTexts.request(deep, 'p')).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('levels'),
    });
  });

  test('long lines of files are read in another thread', async () => {
    const line = `{"input":${members},"expectedOutput":"a"}`;
    const reading = itemTexts.ofJsonLine(3, line);
    expect(await turnsUntil(reading)).toBeGreaterThan(0);
    expect(await reading).toEqual({ input: members, expectedOutput: '"a"', metadata: '{}', externalId: null, source: null });
    const record = itemTexts.ofCsvRecord(
      3,
      `"${members.replaceAll('"', '""')}",a`,
      layoutOf(1, { header: ['input', 'expectedOutput'], delimiter: ',' }, undefined),
    );
    expect(await turnsUntil(record)).toBeGreaterThan(0);
    expect(await record).toEqual({ input: members, expectedOutput: '"a"', metadata: '{}', externalId: null, source: null });
  });

  test('an error in a long line keeps its line and column', async () => {
    await expect(itemTexts.ofJsonLine(7, `{"input":${members},}`)).rejects.toMatchObject({
      code: 'invalid_request',
      extra: { line: 7 },
    });
  });
});
