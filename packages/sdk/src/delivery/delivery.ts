import { messageOf } from '../message-of.ts';
import type { Answer, Service } from '../service.ts';
import { foreignAnswer, isRecord } from './channel.ts';
import type { Channel, LineResults } from './channel.ts';
import { BodyWriter } from './compress.ts';
import type { EncodedBody } from './compress.ts';
import { Counts } from './counts.ts';
import type { DropReason } from './counts.ts';
import { batchOf, LineQueue } from './line-queue.ts';
import type { LineBatch, QueuedLine } from './line-queue.ts';
import { beforeProcessEnd, holdProcess } from './process-end.ts';
import { askedWaitMs, backoffMs } from './retry-after.ts';
import { Slabs } from './slabs.ts';

/** Bytes of queued lines; further ones are dropped as if there were too many. */
export const maxQueueBytes: number = 64 * 1024 * 1024;
/** Lines that could not be delivered for so long are dropped. */
const maxAgeMs = 86_400_000;
/** Looks for lines that are too old at least as often, however long the service asks to wait. */
const longestWaitMs = 3_600_000;
/** The same trouble is reported once in so many milliseconds. */
const silenceMs = 60_000;
/** A request that has not ended so long after its time limit never will; a timer that is late by so long never runs. */
const graceMs = 1_000;

export interface DeliveryLimits {
  maxQueue: number;
  flushMs: number;
  timeoutMs: number;
}

/** A request that is being sent, or is to be sent again: with the same bytes, so that the service sees that it is the same. */
interface Attempt extends LineBatch {
  body?: EncodedBody;
}

/** A request that is under way. */
interface Turn {
  /** Afterwards it is not waited for. */
  untilMs: number;
}

/**
 * Sends queued lines: in batches, one request at a time, again and again until the service answers for each of them. Lines are dropped only where
 * {@link Counts} says why.
 *
 * Some platforms end the timers and requests of a handler with its answer (Cloudflare Workers), or freeze them. Hence a flush sends by itself, within the handler that
 * waits for it, and counts on no timer or request of others for longer than its time limit.
 */
export class Delivery {
  readonly counts: Counts = new Counts();
  readonly #service: Service;
  readonly #limits: DeliveryLimits;
  readonly #queue = new LineQueue();
  readonly #slabs = new Slabs();
  readonly #bodies = new BodyWriter();
  #attempt: Attempt | undefined;
  /** Failed attempts one after another. */
  #failures = 0;
  /** No request before this time. */
  #waitUntilMs = 0;
  /** The service asked for the wait: a flush does not end it. */
  #wasAskedToWait = false;
  #turn: Turn | undefined;
  #isProcessEnding = false;
  #sequence = 0;
  #timer: { atMs: number; cancel: () => void } | undefined;
  #forgetProcess: (() => void) | undefined;
  /** Flushes that wait for the end of a request, or for another to be due. */
  readonly #waiting = new Set<() => void>();
  /** Reported errors, with the time in milliseconds until which each is not reported again. */
  readonly #reported = new Map<string, number>();

  constructor(service: Service, limits: DeliveryLimits) {
    this.#service = service;
    this.#limits = limits;
  }

  /** Whether a further line would be dropped; if so it is counted. */
  isFull(): boolean {
    if (this.#hasRoom()) return false;
    this.#dropOld();
    if (this.#hasRoom()) return false;
    this.drop('queue_full', 1, `The queue is full with ${this.counts.queued} events: further ones are dropped.`);
    return true;
  }

  /** Queues a line; `isFull` was asked before. */
  push(channel: Channel, line: string, settled?: QueuedLine['settled']): void {
    const atMs = this.#service.clock.now();
    const text = this.#slabs.store(line);
    const queued = { text, bytes: text.to - text.from, atMs, sequence: this.#sequence++, isSent: false, settled };
    const isFull = this.#queue.push(channel, queued);
    this.counts.queued += 1;
    this.#forgetProcess ??= beforeProcessEnd(() => this.#endProcess());
    // Most lines join others that wait for a timer already.
    if (isFull || !this.#timer) this.#schedule();
  }

  /** Counts events as dropped. */
  drop(reason: DropReason, count: number, message: string): void {
    this.counts.dropped[reason] += count;
    this.#complain(reason, message);
  }

  /** Resolves when all that is queued now is sent, or dropped, or the time is up. */
  async flush(timeoutMs: number): Promise<void> {
    this.#dropOld();
    if (this.counts.queued === 0) return;
    if (!this.#wasAskedToWait) this.#waitUntilMs = 0;
    const { clock } = this.#service;
    const endMs = clock.now() + timeoutMs;
    // The timer of the clock does not hold it, and may fire after this one.
    const release = holdProcess(timeoutMs + 1_000);
    const sequence = this.#sequence;
    while (this.#oldest() < sequence && clock.now() < endMs) await this.#advance(endMs);
    release();
  }

  /** Sends a request unless one is under way or none is due. Resolves after that request, after another, when one is due, or at a time. */
  async #advance(endMs: number): Promise<void> {
    const { clock } = this.#service;
    const freeMs = this.#turn?.untilMs ?? this.#waitUntilMs;
    const isFree = freeMs <= clock.now();
    let end = () => {};
    await new Promise<void>((resolve) => {
      const cancel = clock.after(Math.max(0, (isFree ? endMs : Math.min(endMs, freeMs)) - clock.now()), resolve);
      this.#waiting.add(resolve);
      end = () => {
        cancel();
        this.#waiting.delete(resolve);
      };
      if (isFree) void this.#sendOne().then(() => this.#schedule());
    });
    end();
  }

  #hasRoom(): boolean {
    return this.counts.queued < this.#limits.maxQueue && this.#queue.bytes + (this.#attempt?.bytes ?? 0) < maxQueueBytes;
  }

  /** The process lives on while requests succeed; the first failure lets it end. */
  #endProcess(): void {
    this.#forgetProcess = undefined;
    this.#isProcessEnding = true;
    if (!this.#wasAskedToWait) this.#waitUntilMs = 0;
    void this.#send();
  }

  /** When the next request is due, milliseconds since 1970. */
  #dueMs(): number {
    if (this.counts.queued === 0) return Infinity;
    const isDue = this.#attempt || this.#isProcessEnding || this.#queue.hasFullBatch();
    return Math.max(this.#waitUntilMs, isDue ? 0 : (this.#queue.oldest()?.atMs ?? 0) + this.#limits.flushMs);
  }

  #schedule(): void {
    if (this.#isBusy()) return;
    const dueMs = this.#dueMs();
    const { clock } = this.#service;
    const nowMs = clock.now();
    if (this.#timer && this.#timer.atMs <= dueMs && this.#timer.atMs > nowMs - graceMs) return;
    this.#timer?.cancel();
    this.#timer = undefined;
    if (dueMs === Infinity) return;
    const atMs = Math.max(nowMs, Math.min(dueMs, nowMs + longestWaitMs));
    const cancel = clock.after(atMs - nowMs, () => {
      this.#timer = undefined;
      void this.#send();
    });
    this.#timer = { atMs, cancel };
  }

  #isBusy(): boolean {
    return this.#turn !== undefined && this.#service.clock.now() < this.#turn.untilMs;
  }

  /** Sends what is due, one request after the other, until a flush goes on with it. */
  async #send(): Promise<void> {
    while (!this.#isBusy() && this.#dueMs() <= this.#service.clock.now() && !(await this.#sendOne()));
    if (!this.#isBusy()) this.#isProcessEnding = false;
    this.#schedule();
  }

  /** Sends one request. @returns whether a flush waited for its end */
  async #sendOne(): Promise<boolean> {
    this.#dropOld();
    const attempt = (this.#attempt ??= this.#queue.takeBatch());
    const turn: Turn = { untilMs: Infinity };
    this.#turn = turn;
    if (attempt) await this.#try(attempt, turn);
    // Another one was begun: this one was not waited for any more.
    if (this.#turn !== turn) return true;
    this.#turn = undefined;
    const isWaitedFor = this.#waiting.size > 0;
    this.#wake();
    this.#timer?.cancel();
    this.#timer = undefined;
    return isWaitedFor;
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  async #try(attempt: Attempt, turn: Turn): Promise<void> {
    let answer: Answer | undefined;
    let failure = '';
    try {
      answer = await this.#request(attempt, turn);
    } catch (error) {
      failure = messageOf(error);
    }
    if (this.#turn !== turn) return;
    if (!answer) {
      this.#retryLater(failure);
      return;
    }
    const { status, ok, body } = answer;
    const results = ok || status === 400 ? attempt.channel.read(body) : undefined;
    if (results && (ok || results.rejected.length > 0)) this.#settle(attempt, results);
    else if (status === 413 && attempt.lines.length > 1) this.#halve(attempt);
    else if (status >= 400 && status < 500 && status !== 408 && status !== 429) this.#refuse(attempt, answer);
    else this.#retryLater(failureOf(answer), askedWaitMs(answer, this.#service.clock.now()));
  }

  async #request(attempt: Attempt, turn: Turn): Promise<Answer> {
    const { channel, lines } = attempt;
    const allow = () => (turn.untilMs = this.#service.clock.now() + this.#limits.timeoutMs + graceMs);
    allow();
    const path = await channel.path();
    if (typeof path !== 'string') return path;
    allow();
    attempt.body ??= await this.#bodies.write(attempt);
    for (const line of lines) {
      if (!line.isSent) this.counts.sent += 1;
      line.isSent = true;
    }
    const { body, headers } = attempt.body;
    return this.#service.request(path, {
      method: 'POST',
      headers: { ...headers, 'content-type': channel.contentType, 'x-spanwise-client': this.counts.header() },
      body,
    });
  }

  #settle({ lines }: Attempt, { rejected, result }: LineResults): void {
    const byLine = new Map(rejected.map((one) => [one.line, one]));
    for (const [index, line] of lines.entries()) {
      const refusal = byLine.get(index + 1);
      if (refusal) this.counts.reject(refusal);
      else this.counts.accepted += 1;
      line.settled?.(refusal ? undefined : result);
    }
    const [first] = rejected;
    if (first) this.#complain('rejected', `Spanwise rejected ${rejected.length} of ${lines.length} events: ${first.error}`);
    this.#reported.delete('401');
    this.#finish(lines);
  }

  #halve({ channel, lines }: Attempt): void {
    const middle = Math.ceil(lines.length / 2);
    this.#queue.putBack(batchOf(channel, lines.slice(middle)));
    this.#attempt = batchOf(channel, lines.slice(0, middle));
    this.#answered();
  }

  #refuse({ lines }: Attempt, { status, body }: Answer): void {
    this.counts.dropped.refused += lines.length;
    const isKey = status === 401 || status === 403;
    const what = isKey
      ? `Spanwise does not accept the API key (status ${status}); events are dropped until it is right`
      : `Spanwise refused events with status ${status}; they are dropped`;
    this.#complain(isKey ? '401' : `${status}`, what + sentenceOf(body));
    for (const line of lines) line.settled?.(undefined);
    this.#finish(lines);
  }

  #retryLater(message: string, askedMs?: number): void {
    this.#failures += 1;
    this.#wasAskedToWait = askedMs !== undefined;
    const { clock } = this.#service;
    this.#waitUntilMs = clock.now() + (askedMs ?? backoffMs(this.#failures, this.#service.random()));
    this.#isProcessEnding = false;
    this.#complain('retry', message);
  }

  /** The attempt is over, whatever became of its lines. */
  #finish(lines: readonly QueuedLine[]): void {
    this.#attempt = undefined;
    this.#answered();
    this.#gone(lines);
  }

  #answered(): void {
    this.#failures = 0;
    this.#waitUntilMs = 0;
    this.#wasAskedToWait = false;
  }

  /** Lines do not wait any more. */
  #gone(lines: readonly QueuedLine[]): void {
    this.counts.queued -= lines.length;
    for (const { text } of lines) this.#slabs.release(text);
    if (this.counts.queued === 0) {
      this.#forgetProcess?.();
      this.#forgetProcess = undefined;
    }
  }

  /** The place of the line that waits longest. */
  #oldest(): number {
    return Math.min(this.#attempt?.lines[0]?.sequence ?? Infinity, this.#queue.oldest()?.sequence ?? Infinity);
  }

  #dropOld(): void {
    const beforeMs = this.#service.clock.now() - maxAgeMs;
    const old = (this.#queue.oldest()?.atMs ?? Infinity) < beforeMs ? this.#queue.takeBefore(beforeMs) : [];
    const { lines = [] } = this.#attempt ?? {};
    // A request that is on its way is not changed.
    if (!this.#turn && (lines[0]?.atMs ?? Infinity) < beforeMs) {
      old.push(...lines.filter(({ atMs }) => atMs < beforeMs));
      const kept = lines.filter(({ atMs }) => atMs >= beforeMs);
      this.#attempt = this.#attempt && kept.length > 0 ? batchOf(this.#attempt.channel, kept) : undefined;
    }
    if (old.length === 0) return;
    this.drop('too_old', old.length, `${old.length} events are older than 24 hours and are dropped.`);
    for (const line of old) line.settled?.(undefined);
    this.#gone(old);
    this.#wake();
  }

  #complain(kind: string, message: string): void {
    this.counts.lastError = message;
    const now = this.#service.clock.now();
    if (now < (this.#reported.get(kind) ?? 0)) return;
    // A wrong key is reported once.
    this.#reported.set(kind, kind === '401' ? Infinity : now + silenceMs);
    this.#service.report(new Error(message));
  }
}

function sentenceOf(body: unknown): string {
  return isRecord(body) && typeof body['error'] === 'string' ? `: ${body['error'].slice(0, 500)}` : '.';
}

function failureOf({ status, headers, body }: Answer): string {
  if (status >= 300 && status < 400) {
    const target = headers.get('location') ?? 'another address';
    return `Spanwise redirects to ${target}, which is not followed; check SPANWISE_URL, or the option baseUrl.`;
  }
  if (status >= 200 && status < 300) return foreignAnswer;
  return `Spanwise answered with status ${status}; events are sent again later${sentenceOf(body)}`;
}
