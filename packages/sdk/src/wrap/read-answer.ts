import type { SpanFields } from '../tracing/span.ts';
import type { Loose } from './read-fields.ts';
import { safely } from './safely.ts';
import type { AnswerReader, RecordedCall } from './recorded-call.ts';

/** Collects the fields of a span from the parts of a streamed answer. */
export interface StreamReader {
  /** Reads a part; true when it holds something that the model wrote. */
  add(part: Loose): boolean;
  /** The fields that the parts so far give. */
  fields(): SpanFields;
  /** Whether the application did not ask for a part, and does not get it. */
  hides?(part: Loose): boolean;
}

/** Reads answers: whole ones, and streamed ones when the application reads them. */
export function answerReader(whole: (data: Loose) => SpanFields, streamed?: (call: RecordedCall) => StreamReader): AnswerReader {
  return (data, call) => {
    try {
      if (isStream(data) && streamed) watch(data, call, streamed(call));
      else call.end(whole(data as Loose));
    } catch {
      call.end();
    }
  };
}

interface Stream {
  iterator?: unknown;
  controller?: { signal?: AbortSignal };
  [Symbol.asyncIterator](): AsyncIterator<unknown>;
}

function isStream(data: unknown): data is Stream {
  return typeof data === 'object' && data !== null && Symbol.asyncIterator in data;
}

/** Replaces how a stream makes its iterator, so that it stays the object that the library knows. */
function watch(stream: Stream, call: RecordedCall, reader: StreamReader): void {
  // `tee` of the libraries of OpenAI and Anthropic asks for `iterator`, which the other one calls.
  const name = typeof stream.iterator === 'function' ? 'iterator' : Symbol.asyncIterator;
  const original = stream[name] as () => AsyncIterator<unknown>;
  const signal = stream.controller?.signal;
  const watched = new WatchedStream(call, reader, signal);
  Object.defineProperty(stream, name, {
    configurable: true,
    writable: true,
    value: () => watched.iterate(original.call(stream)),
  });
  signal?.addEventListener('abort', () => watched.aborted(), { once: true });
}

/** In the words of the libraries of OpenAI and Anthropic, which throw it for a call without a stream alone: a stream that is aborted just ends. */
const aborted: SpanFields = { status: 'error', errorCode: 'APIUserAbortError', errorMessage: 'Request was aborted.' };

class WatchedStream {
  readonly #call: RecordedCall;
  readonly #reader: StreamReader;
  readonly #signal: AbortSignal | undefined;
  /** Reads that are under way. */
  #pending = 0;
  #isBegun = false;

  constructor(call: RecordedCall, reader: StreamReader, signal: AbortSignal | undefined) {
    this.#call = call;
    this.#reader = reader;
    this.#signal = signal;
  }

  iterate(parts: AsyncIterator<unknown>): AsyncIterableIterator<unknown> {
    return {
      next: () => this.#next(parts, parts.next()),
      return: (value?: unknown) => {
        // Before the library aborts the request of a stream that is left early, which is no error.
        this.#end();
        return parts.return?.(value) ?? Promise.resolve({ done: true, value });
      },
      throw: (error?: unknown) => (parts.throw ? this.#next(parts, parts.throw(error)) : parts.next()),
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  /** Ends the span of an aborted stream. A read in progress ends it instead, with the error that it gets. */
  aborted(): void {
    if (this.#pending === 0) this.#end();
  }

  async #next(parts: AsyncIterator<unknown>, first: Promise<IteratorResult<unknown>>): Promise<IteratorResult<unknown>> {
    this.#pending += 1;
    try {
      for (let step = first; ; step = parts.next()) {
        const result = await step;
        if (result.done) this.#end();
        else safely(() => this.#read(result.value as Loose));
        if (result.done || !this.#reader.hides?.(result.value as Loose)) return result;
      }
    } catch (error) {
      this.#call.span.update(safely(() => this.#reader.fields()) ?? {});
      this.#call.span.fail(error);
      throw error;
    } finally {
      this.#pending -= 1;
    }
  }

  #read(part: Loose): void {
    if (!this.#reader.add(part) || this.#isBegun) return;
    this.#isBegun = true;
    const { span, tracer } = this.#call;
    span.update({ timeToFirstTokenMs: Math.max(0, tracer.now() - span.startMs) });
  }

  #end(): void {
    this.#call.end({ ...safely(() => this.#reader.fields()), ...(this.#signal?.aborted && aborted) });
  }
}
