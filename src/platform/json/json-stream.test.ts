import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { jsonList, jsonStream } from './json-stream.ts';

async function* groupsOf(...groups: Array<string[] | Error>): AsyncGenerator<string[]> {
  for (const group of groups) {
    await Promise.resolve();
    if (group instanceof Error) throw group;
    yield group;
  }
}

const list = (...groups: Array<string[] | Error>) => jsonList('{"items":[', groupsOf(...groups), () => '],"more":null}');

describe('a list', () => {
  it.each<[string, string[][], number[]]>([
    ['without groups', [], []],
    ['with empty groups only', [[], []], []],
    ['of one group', [['1', '2']], [1, 2]],
    ['with empty groups between others', [[], ['1'], [], ['2', '3'], []], [1, 2, 3]],
  ])('%s is complete', async (_, groups, items) => {
    expect(JSON.parse(await text(await list(...groups)))).toEqual({ items, more: null });
  });

  it('ends with what is known after its last member', async () => {
    let members = 0;
    const counted = (async function* () {
      for await (const group of groupsOf(['1'], ['2'])) {
        members += group.length;
        yield group;
      }
    })();
    expect(await text(await jsonList('[', counted, async () => Promise.resolve(`,${members * 10}]`)))).toBe('[1,2,20]');
  });

  it('rejects for an error before its first member, also after empty groups', async () => {
    await expect(list(new Error('no items'))).rejects.toThrow('no items');
    await expect(list([], new Error('no items'))).rejects.toThrow('no items');
    const noEnding = jsonList('[', groupsOf(), () => Promise.reject(new Error('no ending')));
    await expect(noEnding).rejects.toThrow('no ending');
  });

  it('breaks off for a later error', async () => {
    await expect(text(await list(['1'], new Error('lost')))).rejects.toThrow('lost');
  });
});

it('a stream that is destroyed ends its iterator', async () => {
  let ended = false;
  const stream = await jsonStream(
    (async function* () {
      try {
        for (;;) yield await Promise.resolve('1');
      } finally {
        ended = true;
      }
    })(),
  );
  for await (const _ of stream) break;
  expect(ended).toBe(true);
});
