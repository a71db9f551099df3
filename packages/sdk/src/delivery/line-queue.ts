import { maxBatchBytes } from '../batch.ts';
import type { Channel } from './channel.ts';
import type { StoredText } from './slabs.ts';

/** One event, outcome or change that waits. */
export interface QueuedLine {
  /** JSON, without a line end. */
  text: StoredText;
  /** Size in UTF-8. */
  bytes: number;
  /** When it was queued, milliseconds since 1970. */
  atMs: number;
  /** Its place among all lines that were ever queued. */
  sequence: number;
  /** Whether it was sent before. */
  isSent: boolean;
  /** Called once with what the service stored, or undefined when it is not stored. */
  settled: ((result: unknown) => void) | undefined;
}

/** Lines of one request. */
export interface LineBatch {
  channel: Channel;
  lines: QueuedLine[];
  bytes: number;
}

export function batchOf(channel: Channel, lines: QueuedLine[]): LineBatch {
  return { channel, lines, bytes: bytesOf(lines) };
}

function bytesOf(lines: readonly QueuedLine[]): number {
  return lines.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Waiting lines, by channel, in their order. */
export class LineQueue {
  /** Bytes of the waiting lines of all channels. */
  bytes = 0;
  readonly #queues = new Map<Channel, QueuedLine[]>();

  /** Queues a line. @returns whether a request could be full for the first time */
  push(channel: Channel, line: QueuedLine): boolean {
    let queue = this.#queues.get(channel);
    if (!queue) this.#queues.set(channel, (queue = []));
    this.bytes += line.bytes;
    return queue.push(line) === channel.maxLines || this.bytes >= maxBatchBytes;
  }

  /** The line that waits longest. */
  oldest(): QueuedLine | undefined {
    return this.#oldestQueue()?.[1][0];
  }

  /** Whether a request could be full. */
  hasFullBatch(): boolean {
    for (const [channel, queue] of this.#queues) {
      if (queue.length >= channel.maxLines) return true;
    }
    return this.bytes >= maxBatchBytes;
  }

  /** Takes the lines of the next request: those of the channel whose first line waits longest, as many as fit. */
  takeBatch(): LineBatch | undefined {
    const found = this.#oldestQueue();
    if (!found) return undefined;
    const [channel, queue] = found;
    // The frame has one character between lines, which is counted for the last one too.
    let bytes = channel.frame.join('').length - 2;
    let count = 0;
    for (const line of queue) {
      bytes += line.bytes + 1;
      if (count === channel.maxLines || (count > 0 && bytes > maxBatchBytes)) break;
      count += 1;
    }
    return batchOf(channel, this.#remove(queue, count));
  }

  /** Takes the lines that were queued before a time. */
  takeBefore(ms: number): QueuedLine[] {
    return [...this.#queues.values()].flatMap((queue) => {
      const kept = queue.findIndex(({ atMs }) => atMs >= ms);
      return this.#remove(queue, kept === -1 ? queue.length : kept);
    });
  }

  /** Puts lines back before all others of their channel. */
  putBack({ channel, lines, bytes }: LineBatch): void {
    this.#queues.set(channel, [...lines, ...(this.#queues.get(channel) ?? [])]);
    this.bytes += bytes;
  }

  #remove(queue: QueuedLine[], count: number): QueuedLine[] {
    const removed = queue.splice(0, count);
    this.bytes -= bytesOf(removed);
    return removed;
  }

  #oldestQueue(): [Channel, QueuedLine[]] | undefined {
    let found: [Channel, QueuedLine[]] | undefined;
    for (const [channel, queue] of this.#queues) {
      const [first] = queue;
      if (first && !(found?.[1][0] && found[1][0].sequence < first.sequence)) found = [channel, queue];
    }
    return found;
  }
}
