import { hash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { idHash, IdBloomFilter } from './id-bloom-filter.ts';

test('holds every id that was added', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(0xffff_ffff), fc.nat(0xffff_ffff)), { maxLength: 2000 }), (ids) => {
      const known = new IdBloomFilter();
      for (const id of ids) known.add(id);
      for (const id of ids) expect(known.mayHold(id)).toBe(true);
    }),
  );
});

test('has few false positives, also after it has grown', () => {
  const known = new IdBloomFilter();
  const added = 300_000;
  const asked = 50_000;
  for (let index = 0; index < added; index++) known.add(idHash('project', `trace ${index}`));
  let errors = 0;
  for (let index = added; index < added + asked; index++) errors += Number(known.mayHold(idHash('project', `trace ${index}`)));
  expect(errors / asked).toBeLessThan(0.02);
  for (let index = 0; index < added; index += 97) expect(known.mayHold(idHash('project', `trace ${index}`))).toBe(true);
});

test('an id of any characters is hashed with its project', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (id) => {
      const digest = hash('md5', `p${id}`);
      expect(idHash('p', id)).toEqual([Number.parseInt(digest.slice(0, 8), 16), Number.parseInt(digest.slice(8, 16), 16)]);
      expect(idHash('q', id)).not.toEqual(idHash('p', id));
    }),
  );
});
