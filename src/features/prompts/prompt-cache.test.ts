import { describe, expect, test } from 'vitest';
import type { ChangeFeed, Subscriber } from '../../platform/postgres/index.ts';
import { PromptCache } from './prompt-cache.ts';

/** A change feed that the test controls. */
function stubChangeFeed() {
  const subscribers = new Set<Subscriber>();
  const stub = {
    up: true,
    receiving: () => stub.up,
    subscribe: (_: string, subscriber: Subscriber) => {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    changed: (projectId: string) => subscribers.forEach((subscriber) => subscriber.onMessage(projectId)),
    missed: () => subscribers.forEach((subscriber) => subscriber.onMissed()),
    subscribers,
  };
  return stub;
}

const open = (maxBytes?: number) => {
  const changeFeed = stubChangeFeed();
  return { changeFeed, cache: new PromptCache(changeFeed as unknown as ChangeFeed, maxBytes) };
};
const answer = (text: string) => ({ body: Buffer.from(text), etag: `"${text}"` });
const loading = (text: string) => () => Promise.resolve(answer(text));
const shown = (found: { body: Buffer } | null | undefined) => found?.body.toString();

describe('cached answers', () => {
  test('are served until their project changes', async () => {
    const { changeFeed, cache } = open();
    expect(cache.peek('p', 'a')).toBeUndefined();
    expect(shown(await cache.load('p', 'a', loading('1')))).toBe('1');
    await cache.load('p', 'b', loading('2'));
    await cache.load('q', 'a', loading('3'));
    expect([shown(cache.peek('p', 'a')), shown(cache.peek('p', 'b')), shown(cache.peek('q', 'a'))]).toEqual(['1', '2', '3']);
    changeFeed.changed('p');
    expect([shown(cache.peek('p', 'a')), shown(cache.peek('p', 'b')), shown(cache.peek('q', 'a'))]).toEqual([
      undefined,
      undefined,
      '3',
    ]);
    changeFeed.changed('q');
    expect(cache.bytes).toBe(0);
  });

  test('loaded while the project changed are neither cached nor served to later requests', async () => {
    const { changeFeed, cache } = open();
    const old = Promise.withResolvers<ReturnType<typeof answer>>();
    const before = cache.load('p', 'a', () => old.promise);
    changeFeed.changed('p');
    const after = cache.load('p', 'a', loading('new'));
    expect(shown(await after)).toBe('new');
    old.resolve(answer('old'));
    expect(shown(await before)).toBe('old');
    expect(shown(cache.peek('p', 'a'))).toBe('new');
  });

  test('are loaded once for concurrent requests', async () => {
    const { cache } = open();
    let loads = 0;
    const load = () => {
      loads += 1;
      return Promise.resolve(answer('x'));
    };
    await Promise.all(Array.from({ length: 10 }, () => cache.load('p', 'a', load)));
    expect(loads).toBe(1);
  });

  test('missing prompts and failed loads are not cached', async () => {
    const { cache } = open();
    expect(await cache.load('p', 'a', () => Promise.resolve(null))).toBeNull();
    await expect(cache.load('p', 'a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(shown(await cache.load('p', 'a', loading('x')))).toBe('x');
  });

  test('are neither served nor stored while the change feed is interrupted, and dropped when messages may have been missed', async () => {
    const { changeFeed, cache } = open();
    await cache.load('p', 'a', loading('1'));
    changeFeed.up = false;
    expect(cache.peek('p', 'a')).toBeUndefined();
    expect(shown(await cache.load('p', 'a', loading('2')))).toBe('2');
    changeFeed.missed();
    changeFeed.up = true;
    expect(cache.peek('p', 'a')).toBeUndefined();
    const slow = Promise.withResolvers<ReturnType<typeof answer>>();
    const underWay = cache.load('p', 'a', () => slow.promise);
    changeFeed.missed();
    slow.resolve(answer('3'));
    await underWay;
    expect(cache.peek('p', 'a')).toBeUndefined();
  });

  test('are bounded: the least recently used is evicted, and one that is too large is not cached', async () => {
    const { cache } = open(10_000);
    const text = 'x'.repeat(1_500);
    for (const asked of ['1', '2', '3', '4']) await cache.load('p', asked, loading(text));
    expect(cache.bytes).toBeLessThanOrEqual(10_000);
    cache.peek('p', '1');
    await cache.load('p', '5', loading(text));
    expect(cache.bytes).toBeLessThanOrEqual(10_000);
    expect(['1', '2', '3', '4', '5'].filter((asked) => cache.peek('p', asked))).toEqual(['1', '3', '4', '5']);
    await cache.load('p', 'large', loading('x'.repeat(10_001)));
    expect(cache.peek('p', 'large')).toBeUndefined();
    await cache.load('q', '1', loading(text));
    await cache.load('q', '2', loading(text));
    expect(cache.bytes).toBeLessThanOrEqual(10_000);
    expect(shown(cache.peek('q', '2'))).toBe(text);
  });

  test('closing ends the subscription', () => {
    const { changeFeed, cache } = open();
    cache.close();
    expect(changeFeed.subscribers.size).toBe(0);
  });
});
