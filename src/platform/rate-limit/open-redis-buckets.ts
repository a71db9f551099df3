import type { RedisBuckets } from './redis-buckets.ts';

/** Buckets in the Redis of a URL. Its client, a fifth of the program's modules, is loaded only where there is a Redis. */
export async function openRedisBuckets(url: string, onError: (error: Error) => void): Promise<RedisBuckets> {
  const { RedisBuckets: Buckets } = await import('./redis-buckets.ts');
  return new Buckets(url, onError);
}
