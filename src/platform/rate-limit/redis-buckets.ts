import { createClient, defineScript } from '@redis/client';
import type { CommandParser } from '@redis/client';
import type { BucketSize, BucketStore, Taken } from './rate-limit.ts';

/** The same rule as everywhere else; Redis runs a script as one step. */
const takeTokens = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `
    local capacity, refill, now, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
    local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at')
    local tokens, at = tonumber(bucket[1]) or capacity, tonumber(bucket[2]) or now
    if now > at then
      tokens = math.min(capacity, tokens + (now - at) * refill / 1000)
      at = now
    end
    local granted = math.min(wanted, math.floor(tokens + 1e-9))
    tokens = math.max(0, tokens - granted)
    redis.call('HSET', KEYS[1], 'tokens', string.format('%.17g', tokens), 'at', string.format('%.0f', at))
    redis.call('PEXPIRE', KEYS[1], ARGV[5])
    return { granted, string.format('%.17g', tokens) }`,
  parseCommand: (parser: CommandParser, key: string, ...values: string[]) => {
    parser.pushKey(key);
    parser.push(...values);
  },
  transformReply: (reply: [granted: number, left: string]): Taken => ({ granted: reply[0], left: Number(reply[1]) }),
});

const keyPrefix = 'spanwise:rate:';
const connectMs = 2_000;
const longestBackoffMs = 2_000;
/** Above what is wanted of one bucket while a question waits; then Redis has stopped to answer, and commands are refused. */
const mostCommands = 20_000;

/** A bucket's key outlives its filling by this much: clocks differ. */
const expirySlackMs = 60_000;

/** Buckets in Redis, each a hash that expires when it would be full. */
export class RedisBuckets implements BucketStore {
  readonly name = 'Redis';
  readonly #client: ReturnType<typeof clientOf>;

  /**
   * Connects in the background, again and again; while there is no connection taking rejects at once.
   *
   * @param url redis:// or rediss://
   * @param onError told once of a connection that breaks or cannot be made, until there is one again
   */
  constructor(url: string, onError: (error: Error) => void) {
    let told = false;
    const tell = (error: Error) => {
      if (!told) onError(error);
      told = true;
    };
    this.#client = clientOf(url);
    this.#client.on('error', tell);
    this.#client.on('ready', () => (told = false));
    this.#client.connect().catch(tell);
  }

  async take(
    { capacity, refillPerSecond }: BucketSize,
    wanted: ReadonlyMap<string, number>,
    nowMs: number,
  ): Promise<ReadonlyMap<string, Taken>> {
    const expiryMs = Math.ceil((capacity / refillPerSecond) * 1000) + expirySlackMs;
    // One command a bucket, sent together: they may live on different nodes.
    const taken = [...wanted].map(async ([key, tokens]): Promise<[string, Taken]> => {
      const values = [capacity, refillPerSecond, nowMs, tokens, expiryMs].map(String);
      return [key, await this.#client.takeTokens(`${keyPrefix}${key}`, ...values)];
    });
    return new Map(await Promise.all(taken));
  }

  /** Redis does so itself. */
  forgetFull(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#client.destroy();
    return Promise.resolve();
  }
}

function clientOf(url: string) {
  return createClient({
    url,
    scripts: { takeTokens },
    // Without a connection there is a local bucket: nothing is to wait for one.
    disableOfflineQueue: true,
    commandsQueueMaxLength: mostCommands,
    socket: {
      connectTimeout: connectMs,
      reconnectStrategy: (retries) => Math.min(longestBackoffMs, 50 * 2 ** Math.min(retries, 10)),
    },
  });
}
