import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { RowReader, RowWriter } from './index.ts';

/** The oracle. */
function plain(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  const length: number[] = [];
  let rest = bytes.length;
  for (; rest >= 128; rest = Math.floor(rest / 128)) length.push((rest % 128) | 128);
  return Buffer.concat([Buffer.from([...length, rest]), bytes]);
}

const unit = fc.constantFrom('a', 'é', '～', '😀', '\ud800', '\0');
const length = fc.oneof(fc.nat(300), fc.constantFrom(127, 128, 129, 5460, 5461, 5462, 16_383, 16_384, 16_385, 699_050, 699_051));
const text = fc.tuple(unit, length, unit).map(([first, count, last]) => first.repeat(Math.max(0, count - 1)) + last);

test('strings of any length and any characters are written in the format of ClickHouse', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), (texts) => {
      const writer = new RowWriter(16);
      for (const each of texts) writer.string(each);
      const bytes = writer.finish();
      expect(Buffer.compare(Buffer.from(bytes), Buffer.concat(texts.map(plain)))).toBe(0);
      const reader = new RowReader(bytes);
      for (const each of texts) expect(reader.string()).toBe(each.toWellFormed());
      expect(reader.done).toBe(true);
    }),
    { numRuns: 200 },
  );
});
