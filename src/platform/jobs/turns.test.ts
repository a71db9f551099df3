import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

const busy = () => new Error('busy');

test('work runs one after another, also after a failure', async () => {
  const turns = new Turns(3, busy);
  const events: string[] = [];
  const work = (name: string, fails = false) =>
    turns.run(async () => {
      events.push(`${name} begins`);
      await Promise.resolve();
      events.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const results = await Promise.allSettled([work('a'), work('b', true), work('c')]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

test('more than the maximum is refused until one has ended', async () => {
  const turns = new Turns(2, busy);
  const held = Promise.withResolvers<void>();
  const running = Array.from({ length: 2 }, () => turns.run(() => held.promise));
  await expect(turns.run(() => Promise.resolve())).rejects.toThrow('busy');
  held.resolve();
  await Promise.all(running);
  await expect(turns.run(() => Promise.resolve(1))).resolves.toBe(1);
});
