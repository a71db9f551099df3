import type { Clock } from '../clock.ts';
import type { IngestEvent, SpanEvent, TraceEvent } from '../events.ts';
import { newSpanId, newTraceId } from '../id.ts';
import { Active } from './active.ts';
import { errorFields } from './error-fields.ts';
import type { Span, SpanFields, SpanOptions, SpanParent, TraceOptions } from './span.ts';
import { timestampOf } from './timestamp.ts';
import { maxPayloadBytes, payloads } from '../batch.ts';
import { writeJson } from '../write-json.ts';
import type { WrittenJson } from '../write-json.ts';

/** The attribute that marks what `evaluate` records: Spanwise lists it where it is asked for. */
const sourceAttribute = 'spanwise.source';

/** What every root says. */
export interface TracerDefaults {
  environment: string | undefined;
  release: string | undefined;
  service: string | undefined;
}

/** Makes spans, and sends each when it ends. */
export class Tracer {
  readonly #clock: Clock;
  readonly #defaults: TracerDefaults;
  readonly #send: (event: IngestEvent) => void;
  readonly #active = new Active<Span>();

  constructor(clock: Clock, defaults: TracerDefaults, send: (event: IngestEvent) => void) {
    this.#clock = clock;
    this.#defaults = defaults;
    this.#send = send;
  }

  active(): Span | undefined {
    return this.#active.get();
  }

  now(): number {
    return this.#clock.now();
  }

  /** Begins a trace: its own record is sent at once, so that what is known of the trace is known of its spans although the process should end. */
  startTrace({ name, sessionId, userId, agentName, tags, metadata, input }: TraceOptions): OpenSpan {
    const { environment, release } = this.#defaults;
    const traceId = newTraceId();
    const startMs = this.#clock.now();
    const common = { name, sessionId, userId, environment, release, tags, metadata };
    const record: TraceEvent = { type: 'trace', traceId, timestamp: timestampOf(startMs), ...common };
    this.#send(record);
    // An agent's name holds for what is below a span of kind agent.
    const kind = agentName === undefined ? undefined : 'agent';
    return this.#open({ ...common, kind, agentName, input }, { traceId }, startMs, record);
  }

  startSpan(options: SpanOptions): OpenSpan {
    return this.#open(options, options.parent ?? this.#active.get(), this.#clock.now());
  }

  /** Runs a function within a span: what the function opens is below it. The span ends with it. */
  run<R>(span: OpenSpan, call: (span: OpenSpan) => R): R {
    let result: R;
    try {
      result = this.#active.run(span, () => call(span));
    } catch (error) {
      span.fail(error);
      throw error;
    }
    if (!isThenable(result)) {
      span.finish(result);
      return result;
    }
    // A promise is returned as it is. What else can be awaited may do its work once for each `then`.
    const promise = result instanceof Promise ? result : Promise.resolve(result);
    promise.then(
      (value) => span.finish(value),
      (error: unknown) => span.fail(error),
    );
    return promise as R;
  }

  /** Runs a function within a span that goes on after it. */
  within<R>(span: Span, call: () => R): R {
    return this.#active.run(span, call);
  }

  #open(fields: SpanFields, parent: SpanParent | undefined, startMs: number, record?: TraceEvent): OpenSpan {
    const event = {
      type: 'span',
      traceId: parent?.traceId ?? newTraceId(),
      spanId: newSpanId(),
      parentSpanId: parent?.spanId,
      startTime: timestampOf(startMs),
    } as SpanEvent;
    const { environment, release, service } = this.#defaults;
    if (parent?.spanId === undefined) Object.assign(event, { environment, release });
    if (service) event.attributes = { 'service.name': service };
    // A span of an evaluation says so itself, since it arrives before its root.
    const source = (parent as Partial<OpenSpan> | undefined)?.source;
    if (source) event.attributes = { ...event.attributes, [sourceAttribute]: source };
    return new OpenSpan(event, fields, startMs, this.#clock, this.#send, record);
  }
}

/** A span until it ends. */
export class OpenSpan implements Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly startMs: number;
  readonly #event: SpanEvent;
  /** The trace's own record as it was sent; of a root only. */
  readonly #record: TraceEvent | undefined;
  readonly #clock: Clock;
  readonly #send: (event: IngestEvent) => void;
  #isEnded = false;
  #isRecordChanged = false;

  constructor(
    event: SpanEvent,
    fields: SpanFields,
    startMs: number,
    clock: Clock,
    send: (event: IngestEvent) => void,
    record?: TraceEvent,
  ) {
    this.traceId = event.traceId;
    this.spanId = event.spanId;
    this.startMs = startMs;
    this.#event = event;
    this.#clock = clock;
    this.#send = send;
    setFields(event, fields);
    this.#record = record;
  }

  /** `evaluation` within one. */
  get source(): unknown {
    return this.#event.attributes?.[sourceAttribute];
  }

  update(fields: SpanFields): void {
    if (this.#isEnded) return;
    try {
      setFields(this.#event, fields);
      if (!this.#record) return;
      for (const name of recorded) {
        if (fields[name] === undefined) continue;
        Object.assign(this.#record, { [name]: this.#event[name] });
        this.#isRecordChanged = true;
      }
    } catch {
      // A getter of the application that throws.
    }
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#event.name ||= 'span';
    // The machine's clock may have been set back.
    this.#event.endTime = timestampOf(Math.max(this.startMs, this.#clock.now()));
    if (this.#record && this.#isRecordChanged) this.#send(this.#record);
    this.#send(this.#event);
  }

  /** Ends the span of a function that returned. The result is the output of a trace that was given none, unless it is an instance of a class, such as a stream. */
  finish(result: unknown): void {
    if (this.#record && isPlain(result)) this.#event.output ??= result;
    this.end();
  }

  /** Ends the span with an error. */
  fail(error: unknown): void {
    this.update(errorFields(error));
    this.end();
  }
}

/** Whether a value is no instance of a class. Whatever the application returned is only looked at: its properties may throw. */
function isPlain(value: unknown): boolean {
  try {
    if (Object(value) !== value || Array.isArray(value)) return true;
    const prototype: unknown = Object.getPrototypeOf(value);
    // Of this or another realm.
    return prototype === null || Object.getPrototypeOf(prototype) === null;
  } catch {
    // A proxy.
    return false;
  }
}

/** Fields that a trace's own record has too. */
const recorded = ['name', 'sessionId', 'userId', 'environment', 'release', 'tags', 'metadata'] as const;

function setFields(event: SpanEvent, fields: SpanFields): void {
  const target = event as unknown as Record<string, unknown>;
  for (const name of Object.keys(fields)) {
    const value = (fields as Record<string, unknown>)[name];
    if (value === undefined || value === null) continue;
    switch (name) {
      case 'parent':
        break;
      case 'usage':
      case 'metadata':
      case 'attributes':
        // Merged with what was given before.
        target[name] = { ...(target[name] as object | undefined), ...membersOf(value as object) };
        break;
      default:
        target[name] = payloads.has(name) ? writeJson(value, maxPayloadBytes) : value;
    }
  }
}

/** The members of an object; those of one with a getter that throws as they are written. */
function membersOf(value: object): object {
  try {
    return { ...value };
  } catch {
    return JSON.parse((writeJson(value, maxPayloadBytes) as WrittenJson).json) as object;
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}
