import type { RedisBuckets } from './redis-buckets.ts';

/** Buckets in the Redis at a URL. The client, a fifth of the program's modules, is loaded only when Redis is configured. */
export async function openRedisBuckets(url: string, onError: (error: Error) => void): Promise<RedisBuckets> {
  const { RedisBuckets: Buckets } = await import('./redis-buckets.ts');
  return new Buckets(url, onError);
}
