import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { promptBody, promptBounds, promptTags, surelyLarger } from './prompts.ts';

describe('inputs far above a limit are not read entry by entry', () => {
  const messagesOf = (body: object) => promptBody.safeParse({ name: 'a', prompt: 'b', ...body }).error?.issues ?? [];

  test.each(['labels', 'tags'])('%s: one problem is reported, however many entries are invalid', (field) => {
    expect(messagesOf({ [field]: Array.from({ length: 1_001 }, () => '') })).toMatchObject([{ code: 'too_big', path: [field] }]);
    expect(messagesOf({ [field]: Array.from({ length: 1_000 }, () => '') })).toHaveLength(1_000);
  });

  test('duplicate entries count once', () => {
    expect(promptTags.parse(Array.from({ length: 1_000 }, (_, index) => ` ${index % 50} `))).toHaveLength(50);
  });

  test('more messages than fit into 1 MiB', () => {
    expect(JSON.stringify([{ role: 'a', content: '' }]).length * promptBounds.messages).toBeGreaterThan(promptBounds.promptBytes);
    expect(messagesOf({ type: 'chat', prompt: Array.from({ length: promptBounds.messages + 1 }, () => ({})) })).toMatchObject([
      { path: ['prompt'], message: 'must be a string, or an array of at most 50000 messages of a chat prompt' },
    ]);
  });

  test('a configuration with too many names is neither copied nor read', () => {
    const unread = { enumerable: true, get: () => expect.unreachable('a member was read') };
    const config = Object.defineProperties(
      {},
      Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, unread])),
    );
    expect(messagesOf({ config })).toMatchObject([{ path: ['config'], message: 'must have at most 256 KiB as JSON' }]);
  });
});

test('the lower bound never exceeds the size, and reaches it for much larger values', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const bytes = Buffer.byteLength(JSON.stringify(value));
      expect(surelyLarger(value, bytes)).toBe(false);
    }),
  );
  expect(surelyLarger(['x'.repeat(10)], 9)).toBe(true);
  expect(surelyLarger({ a: [[[{}, {}, {}]]] }, 9)).toBe(true);
});
