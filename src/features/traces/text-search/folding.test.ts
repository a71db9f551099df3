import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestClickHouse } from '../../../../test/support/analytics.ts';
import { runs } from '../../../../test/support/runs.ts';
import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import { isIndexed } from '../filter/text-rows.ts';
import { wordsOf } from '../filter/words-of.ts';

let clickhouse: ClickHouse;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ clickhouse, close } = await openTestClickHouse());
}, 60_000);
afterAll(() => close());

/** Those of Latin, Greek, Cyrillic and Armenian, and signs that fold to them; at night all of them. */
const lastLetter = runs({ usual: 0, nightly: 131_071 }) > 1_000 ? 131_071 : 1_500;

/** Every letter, as pairs of its code point and itself, of which some function of the engine makes another; and all of ASCII. */
const letters = `SELECT number AS code, concat('x', letter) AS letter FROM (
  SELECT number, multiIf(number < 128, char(number),
    number < 2048, char(192 + intDiv(number, 64), 128 + number % 64),
    number < 65536, char(224 + intDiv(number, 4096), 128 + intDiv(number, 64) % 64, 128 + number % 64),
    char(240 + intDiv(number, 262144), 128 + intDiv(number, 4096) % 64, 128 + intDiv(number, 64) % 64, 128 + number % 64)) AS letter
  FROM numbers(1, 131071) WHERE number < 55296 OR number > 57343)
WHERE number IN (7838, 8486, 8490, 8491) OR number <= ${lastLetter} AND (number < 128 OR lowerUTF8(letter) != letter OR upperUTF8(letter) != letter OR caseFoldUTF8(letter) != letter)`;

test('letters that a search takes for equal are equal when they are folded, and none becomes a separator', async () => {
  const different = await clickhouse.systemQuery(
    `SELECT one.letter, other.letter FROM (${letters}) AS one CROSS JOIN (${letters}) AS other
     WHERE one.code != other.code AND positionCaseInsensitiveUTF8(one.letter, other.letter) = 1
       AND caseFoldUTF8(one.letter) != caseFoldUTF8(other.letter)`,
  );
  expect(different).toEqual([]);
  const [{ pairs } = { pairs: 0 }] = await clickhouse.systemQuery<{ pairs: number }>(
    `SELECT count() AS pairs FROM (${letters}) WHERE code > 127 AND positionCaseInsensitiveUTF8(letter, caseFoldUTF8(letter)) = 1`,
  );
  expect(pairs).toBeGreaterThan(300);
  const separating = await clickhouse.systemQuery(
    `SELECT letter FROM (${letters}) WHERE code > 127 AND match(substring(caseFoldUTF8(letter), 2), '[\\\\x00-\\\\x2f\\\\x3a-\\\\x40\\\\x5b-\\\\x60\\\\x7b-\\\\x7f]')`,
  );
  expect(separating).toEqual([]);
});

test('a word counts as whole only between separators of the text itself', () => {
  expect(wordsOf('refund')).toEqual({ whole: [], parts: ['refund'] });
  expect(wordsOf('the order was Late')).toEqual({ whole: ['order', 'was'], parts: ['late'] });
  expect(wordsOf(' the ')).toEqual({ whole: ['the'], parts: [] });
  expect(wordsOf('“Größe”, Straßenname')).toEqual({ whole: [], parts: ['enname'] });
  expect(wordsOf('a Größe b')).toEqual({ whole: ['Größe'], parts: [] });
  expect([wordsOf('東京'), wordsOf('no'), wordsOf('--'), wordsOf('')]).toEqual([null, null, null, null]);
});

test('a text that is escaped in JSON is indexed where both of its forms are', () => {
  expect([isIndexed('say "refund"'), isIndexed('a "b" c'), isIndexed('"it"')]).toEqual([true, true, true]);
  expect([isIndexed('it'), isIndexed('東京\n')]).toEqual([false, false]);
});
