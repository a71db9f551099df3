import { createClient, defineScript } from '@redis/client';
import type { CommandParser } from '@redis/client';
import { maxClockDifferenceMs } from '../clock/clock.ts';
import type { BucketSize, BucketStore, Taken } from './rate-limit.ts';

/** The refill rule of `TokenBuckets`. Redis runs a script atomically. */
const takeTokens = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `
    local capacity, refill, now, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
    local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at')
    local tokens, at = tonumber(bucket[1]) or capacity, tonumber(bucket[2]) or now
    if now > at then
      tokens = math.min(capacity, tokens + (now - at) * refill / 1000)
      at = now
    elseif at > now + ${maxClockDifferenceMs} then
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
/** Maximum queued commands; only reached when Redis has stopped answering. Further commands are refused. */
const maxCommands = 20_000;

/** Added to a key's expiry, because clocks of processes differ. */
const expirySlackMs = 60_000;

/** Buckets in Redis, each a hash that expires when the bucket is full. */
export class RedisBuckets implements BucketStore {
  readonly name = 'Redis';
  readonly #client: ReturnType<typeof clientOf>;

  /**
   * Connects in the background and reconnects without end. Without a connection {@link take} rejects at once.
   *
   * @param url redis:// or rediss://
   * @param onError called once when the connection breaks or cannot be made; again only after it was restored
   */
  constructor(url: string, onError: (error: Error) => void) {
    let reported = false;
    const report = (error: Error) => {
      if (!reported) onError(error);
      reported = true;
    };
    this.#client = clientOf(url);
    this.#client.on('error', report);
    this.#client.on('ready', () => (reported = false));
    this.#client.connect().catch(report);
  }

  async take(
    { capacity, refillPerSecond }: BucketSize,
    wanted: ReadonlyMap<string, number>,
    nowMs: number,
  ): Promise<ReadonlyMap<string, Taken>> {
    const expiryMs = Math.ceil((capacity / refillPerSecond) * 1000) + expirySlackMs;
    // One command for each bucket, pipelined: the keys may be on different cluster nodes.
    const taken = [...wanted].map(async ([key, tokens]): Promise<[string, Taken]> => {
      const values = [capacity, refillPerSecond, nowMs, tokens, expiryMs].map(String);
      return [key, await this.#client.takeTokens(`${keyPrefix}${key}`, ...values)];
    });
    return new Map(await Promise.all(taken));
  }

  /** Does nothing: the keys expire. */
  forgetFull(): Promise<void> {
    return Promise.resolve();
  }

  async ping(): Promise<void> {
    if (!this.#client.isReady) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      this.#client.once('ready', resolve);
      // Each attempt to connect that fails is an error.
      this.#client.once('error', reject);
      await promise;
    }
    await this.#client.ping();
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
    // Without a connection the caller uses local buckets; do not queue commands.
    disableOfflineQueue: true,
    commandsQueueMaxLength: maxCommands,
    socket: {
      connectTimeout: connectMs,
      reconnectStrategy: (retries) => Math.min(longestBackoffMs, 50 * 2 ** Math.min(retries, 10)),
    },
  });
}
