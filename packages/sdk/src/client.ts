import { encodeLine } from './batch.ts';
import { systemClock } from './clock.ts';
import { changeChannel, eventChannel, outcomeChannel } from './delivery/channel.ts';
import type { Channel } from './delivery/channel.ts';
import type { DeliveryReport } from './delivery/counts.ts';
import { Delivery } from './delivery/delivery.ts';
import type { IngestEvent, ScoreEvent } from './events.ts';
import { openGuard } from './guard/index.ts';
import type { Guard } from './guard/index.ts';
import { newTraceId } from './id.ts';
import { errorOf, messageOf } from './message-of.ts';
import { openService } from './open-service.ts';
import type { Machine } from './open-service.ts';
import { projectOf } from './project-of.ts';
import { openPrompts } from './prompts/index.ts';
import type { OpenPrompts, Prompts } from './prompts/index.ts';
import type { ChangeReport, OutcomeReport, StoredChange } from './reports.ts';
import type { Service } from './service.ts';
import { readSettings } from './settings.ts';
import type { Settings, SpanwiseOptions } from './settings.ts';
import type { Span, SpanOptions, Trace, TraceOptions } from './tracing/span.ts';
import { timestampOf } from './tracing/timestamp.ts';
import { Tracer } from './tracing/tracer.ts';
import { wrapAnthropic } from './wrap/anthropic.ts';
import { wrapOpenAI } from './wrap/openai.ts';
import type { WrapOptions } from './wrap/wrap-client.ts';

/** Whether the process has logged the warning that a client has no key. */
let isWarned = false;

/**
 * A client of Spanwise. Nothing of it throws into the application or makes it wait: what goes wrong goes to `onError` and `delivery()`.
 */
export class Spanwise {
  /** The prompts of the project. */
  readonly prompts: Prompts;
  /** The guardrails of the project. */
  readonly guard: Guard;
  readonly #settings: Settings;
  readonly #service: Service;
  readonly #delivery: Delivery;
  readonly #tracer: Tracer;
  readonly #changes: Channel;
  readonly #prompts: OpenPrompts;

  /** @param machine replaced by tests */
  constructor(options?: SpanwiseOptions, machine: Partial<Machine> = {}) {
    this.#settings = readSettings(options ?? {});
    const { environment, problem } = this.#settings;
    const all = { clock: systemClock, random: Math.random, ...machine };
    this.#service = openService(this.#settings, all, (error) => this.#report(error));
    this.#delivery = new Delivery(this.#service, this.#settings);
    this.#changes = changeChannel(projectOf(this.#service));
    this.#tracer = new Tracer(all.clock, this.#settings, (event) => this.#queueEvent(event));
    this.prompts = this.#prompts = openPrompts(this.#service);
    this.guard = openGuard(this.#service, {
      onUnavailable: this.#settings.onUnavailable,
      environment,
      activeTraceId: () => this.#tracer.active()?.traceId,
      activeSpanId: () => this.#tracer.active()?.spanId,
      send: (event) => this.#queueEvent(event),
    });
    if (problem !== null) this.#warn(problem);
  }

  /**
   * Records a trace: a root span, and whatever is opened within the function below it. Returns what the function returns, which is recorded as the output if
   * the function gave none and JSON can hold it; what it throws is recorded and thrown on. Without a function it returns the open trace, for the caller to end.
   */
  trace<R>(options: TraceOptions, run: (trace: Trace) => R): R;
  trace(options: TraceOptions): Trace;
  trace<R>(options: TraceOptions, run?: (trace: Trace) => R): R | Trace {
    const trace = this.#safely(() => this.#tracer.startTrace(options)) ?? this.#tracer.startTrace({ name: 'trace' });
    return run ? this.#tracer.run(trace, run) : trace;
  }

  /**
   * Records a span below the active one, or below `parent`. Returns what the function returns; what it throws is recorded and thrown on. Without a function it
   * returns the open span, for the caller to end.
   */
  span<R>(options: SpanOptions, run: (span: Span) => R): R;
  span(options: SpanOptions): Span;
  span<R>(options: SpanOptions, run?: (span: Span) => R): R | Span {
    const span = this.#safely(() => this.#tracer.startSpan(options)) ?? this.#tracer.startSpan({ name: 'span' });
    return run ? this.#tracer.run(span, run) : span;
  }

  /** Runs a function below an open span, which goes on after it. */
  within<R>(span: Span, run: () => R): R {
    return this.#tracer.within(span, run);
  }

  /** The active span: the one whose function is running. undefined outside of all, and where the platform has no AsyncLocalStorage. */
  activeSpan(): Span | undefined {
    return this.#tracer.active();
  }

  /**
   * A client of the package `openai` whose calls are recorded: chat completions, responses and embeddings, streamed ones and helpers included.
   */
  wrapOpenAI<T extends object>(client: T, options?: WrapOptions): T {
    return this.#safely(() => wrapOpenAI(this.#tracer, client, options)) ?? client;
  }

  /** A client of the package `@anthropic-ai/sdk` whose messages are recorded, streamed ones and helpers included. */
  wrapAnthropic<T extends object>(client: T, options?: WrapOptions): T {
    return this.#safely(() => wrapAnthropic(this.#tracer, client, options)) ?? client;
  }

  /** Records a score of a span, a trace or a session; by default of the active trace. */
  score(score: Omit<ScoreEvent, 'type'>): void {
    this.#safely(() => {
      const traceId = score.traceId ?? (score.sessionId == null ? this.#tracer.active()?.traceId : undefined);
      // With an id a score that is sent again is not stored twice.
      const scoreId = score.scoreId ?? newTraceId();
      this.#queueEvent({ timestamp: this.#now(), ...score, type: 'score', traceId, scoreId });
    });
  }

  /** Records what came of a trace; by default of the active one. Without one the service rejects it, and `delivery()` says so. */
  outcome(outcome: OutcomeReport): void {
    this.#safely(() => {
      const traceId = outcome.traceId ?? this.#tracer.active()?.traceId;
      const idempotencyKey = outcome.idempotencyKey ?? newTraceId();
      this.#queue(outcomeChannel, { occurredAt: this.#now(), ...outcome, traceId, idempotencyKey });
    });
  }

  /**
   * Records a change, such as a deployment. Resolves with the record once it is stored, or with undefined when it could not be stored within `timeoutMs`: it is
   * sent again until it is.
   */
  change(change: ChangeReport): Promise<StoredChange | undefined> {
    const { service, environment, timeoutMs } = this.#settings;
    return new Promise((resolve) => {
      const isQueued = this.#safely(() => {
        const idempotencyKey = change.idempotencyKey ?? newTraceId();
        const report = { service, environment, at: this.#now(), ...change, idempotencyKey };
        return this.#queue(this.#changes, report, (stored) => resolve(stored as StoredChange | undefined));
      });
      const end = () => resolve(undefined);
      if (isQueued) this.#delivery.flush(timeoutMs).then(end, end);
      else end();
    });
  }

  /** What became of everything that was given to this client. */
  delivery(): DeliveryReport {
    return this.#delivery.counts.report();
  }

  /** Resolves when all that is queued is sent and what is being fetched in the background is there, or the time is up (default: 10,000 ms). Never rejects. */
  flush(options?: { timeoutMs?: number }): Promise<void> {
    return this.#flush(options, Promise.all([this.guard.flush(), this.#prompts.settled()]));
  }

  /** Flushes, and stops what runs in the background. */
  shutdown(options?: { timeoutMs?: number }): Promise<void> {
    return this.#flush(options, this.guard.close());
  }

  /** Resolves when all is sent and the other work is done or failed, or the time is up. */
  async #flush(options: { timeoutMs?: number } | undefined, others: Promise<unknown>): Promise<void> {
    const timeoutMs = options?.timeoutMs ?? 10_000;
    const inTime = new Promise<void>((resolve) => {
      const cancel = this.#service.clock.after(timeoutMs, resolve);
      const done = () => {
        cancel();
        resolve();
      };
      others.then(done, done);
    });
    await Promise.all([this.#delivery.flush(timeoutMs), inTime]);
  }

  #now(): string {
    return timestampOf(this.#service.clock.now());
  }

  /** The last thing that happens to an event before it is queued. */
  #queueEvent(event: IngestEvent): void {
    const { redact } = this.#settings;
    if (!this.#takes()) return;
    try {
      let line = encodeLine(event);
      if (redact) {
        const kept = redact(JSON.parse(line) as IngestEvent);
        if (kept === null) return;
        ignoreRejection(kept);
        if (typeof kept !== 'object' || 'then' in kept) throw new Error('it must return an event or null');
        line = encodeLine(kept);
      }
      this.#delivery.push(eventChannel, line);
    } catch (error) {
      this.#delivery.drop('refused', 1, `An event is dropped because redact failed: ${messageOf(error)}`);
    }
  }

  #queue(channel: Channel, report: object, settled?: (result: unknown) => void): boolean {
    const takes = this.#takes();
    if (takes) this.#delivery.push(channel, encodeLine(report), settled);
    return takes;
  }

  #takes(): boolean {
    return this.#settings.problem === null && !this.#delivery.isFull();
  }

  /** Reports an error of the SDK, or of a getter of the application, instead of throwing it into the application. */
  #safely<R>(call: () => R): R | undefined {
    try {
      return call();
    } catch (error) {
      this.#report(error);
      return undefined;
    }
  }

  #report(thrown: unknown): void {
    const error = errorOf(thrown);
    this.#delivery.counts.lastError = error.message;
    try {
      ignoreRejection(this.#settings.onError?.(error));
    } catch {
      // The application's own mistake.
    }
  }

  #warn(problem: string): void {
    this.#report(new Error(problem));
    if (this.#settings.onError || isWarned) return;
    isWarned = true;
    // oxlint-disable-next-line no-console
    console.warn(problem);
  }
}

/** A callback of the application may be asynchronous. It is not awaited, and an unhandled rejection would end the process. */
function ignoreRejection(result: unknown): void {
  Promise.resolve(result).catch(() => {});
}
