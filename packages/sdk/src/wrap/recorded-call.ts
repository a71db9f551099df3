import type { SpanFields } from '../tracing/span.ts';
import type { OpenSpan, Tracer } from '../tracing/tracer.ts';

/** Reads an answer: ends the span of its call, now or when a stream was read. Never throws. */
export type AnswerReader = (data: unknown, call: RecordedCall) => void;

/** A call of a model that is being recorded. */
export class RecordedCall {
  readonly tracer: Tracer;
  readonly span: OpenSpan;
  /** Whether other parameters were sent than those of the application. */
  readonly isPrepared: boolean;
  /** Loaded while the model is working. */
  readonly #reader: Promise<AnswerReader | undefined>;

  constructor(tracer: Tracer, span: OpenSpan, isPrepared: boolean, reader: Promise<AnswerReader>) {
    this.tracer = tracer;
    this.span = span;
    this.isPrepared = isPrepared;
    this.#reader = reader.catch(() => undefined);
  }

  /** Reads an answer and returns it. */
  async answered<T>(data: T): Promise<T> {
    const read = await this.#reader;
    if (read) read(data, this);
    else this.end();
    return data;
  }

  end(fields: SpanFields = {}): void {
    this.span.update(fields);
    this.span.end();
  }
}
