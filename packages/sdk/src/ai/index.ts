import type { Spanwise } from '../client.ts';
import { errorFields } from '../tracing/error-fields.ts';
import type { Span, SpanParent } from '../tracing/span.ts';
import { aiSpanFields } from './ai-span-fields.ts';

export interface AiTelemetryOptions {
  /** Where the spans belong. Default: the active span; platforms without AsyncLocalStorage have none. */
  parent?: SpanParent | undefined;
  /** Name of the function of the application; of an agent its name. */
  functionId?: string | undefined;
  /** `sessionId`, `userId`, `agentName` and `tags` become those of the spans. */
  metadata?: Record<string, string | number | boolean | string[]> | undefined;
  /** Default: true. */
  recordInputs?: boolean | undefined;
  /** Default: true. */
  recordOutputs?: boolean | undefined;
}

/** What the Vercel AI SDK takes as `experimental_telemetry`. */
export interface AiTelemetry {
  isEnabled: true;
  functionId?: string;
  metadata?: Record<string, string | number | boolean | string[]>;
  recordInputs?: boolean;
  recordOutputs?: boolean;
  tracer: AiTracer;
}

type Attributes = Readonly<Record<string, unknown>>;

interface AiSpanOptions {
  attributes?: Attributes | undefined;
}

/** The part of OpenTelemetry's tracer that the Vercel AI SDK uses. */
export interface AiTracer {
  startSpan(name: string, options?: AiSpanOptions, context?: unknown): AiSpan;
  startActiveSpan<F extends (span: AiSpan) => unknown>(name: string, run: F): ReturnType<F>;
  startActiveSpan<F extends (span: AiSpan) => unknown>(name: string, options: AiSpanOptions, run: F): ReturnType<F>;
  startActiveSpan<F extends (span: AiSpan) => unknown>(
    name: string,
    options: AiSpanOptions,
    context: unknown,
    run: F,
  ): ReturnType<F>;
}

/**
 * Records what the Vercel AI SDK does, versions 5 and 6: `generateText({ ..., experimental_telemetry: aiTelemetry(spanwise) })`. Its spans are below the active
 * one. Version 7 takes it by `new LegacyOpenTelemetry(aiTelemetry(spanwise))` of `@ai-sdk/otel`.
 */
export function aiTelemetry(
  spanwise: Pick<Spanwise, 'span' | 'within' | 'activeSpan'>,
  { parent, ...options }: AiTelemetryOptions = {},
): AiTelemetry {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return { ...given, isEnabled: true, tracer: aiTracer(spanwise, parent, attributesOf(options)) };
}

/** The attributes by which versions 5 and 6 name the function and its metadata on each span. Version 7 does not take them from the options. */
function attributesOf({ functionId, metadata = {} }: AiTelemetryOptions): Attributes {
  const entries = Object.entries(metadata).map(([name, value]) => [`ai.telemetry.metadata.${name}`, value]);
  return Object.fromEntries([['ai.telemetry.functionId', functionId], ...entries]) as Attributes;
}

/** The key under which OpenTelemetry keeps the span of a context. */
const contextSpan = Symbol.for('OpenTelemetry Context Key SPAN');

/** The span of a context of OpenTelemetry, with which version 7 of the Vercel AI SDK names the parent. */
function spanOf(context: unknown): Span | undefined {
  const span = (context as { getValue?(key: symbol): unknown } | null | undefined)?.getValue?.(contextSpan);
  return span instanceof AiSpan ? span.open : undefined;
}

function aiTracer(
  spanwise: Pick<Spanwise, 'span' | 'within' | 'activeSpan'>,
  outer: SpanParent | undefined,
  common: Attributes,
): AiTracer {
  const start = (name: string, options: AiSpanOptions = {}, context?: unknown) => {
    // Below a span of the Vercel AI SDK that one is the parent, not the outer one.
    const active = spanOf(context) ?? spanwise.activeSpan();
    const parent = outer === undefined || outer.traceId === active?.traceId ? active : outer;
    const own = Object.entries(options.attributes ?? {}).filter(([, value]) => value !== undefined);
    return new AiSpan(name, spanwise.span({ name, parent }), { ...common, ...Object.fromEntries(own) });
  };
  return {
    startSpan: start,
    startActiveSpan: (name: string, ...args: readonly unknown[]) => {
      const run = args.at(-1) as (span: AiSpan) => never;
      const span = start(name, args.length > 1 ? (args[0] as AiSpanOptions) : {}, args.length > 2 ? args[1] : undefined);
      return spanwise.within(span.open, () => run(span));
    },
  };
}

/** A span as OpenTelemetry has them. Its attributes are read when it ends. */
export class AiSpan {
  readonly open: Span;
  readonly #attributes: Record<string, unknown>;
  #name: string;

  constructor(name: string, open: Span, attributes: Attributes = {}) {
    this.#name = name;
    this.open = open;
    this.#attributes = { ...attributes };
  }

  spanContext(): { traceId: string; spanId: string; traceFlags: number } {
    return { traceId: this.open.traceId, spanId: this.open.spanId, traceFlags: 1 };
  }

  setAttribute(name: string, value: unknown): this {
    this.#attributes[name] = value;
    return this;
  }

  setAttributes(attributes: Attributes): this {
    Object.assign(this.#attributes, attributes);
    return this;
  }

  addEvent(): this {
    return this;
  }

  addLink(): this {
    return this;
  }

  addLinks(): this {
    return this;
  }

  setStatus({ code, message }: { code: number; message?: string }): this {
    // OpenTelemetry's code of errors.
    if (code === 2) this.open.update({ status: 'error', errorMessage: message });
    return this;
  }

  updateName(name: string): this {
    this.#name = name;
    return this;
  }

  isRecording(): boolean {
    return true;
  }

  recordException(error: unknown): void {
    const { name, message } = (typeof error === 'object' && error !== null ? error : {}) as { name?: string; message?: string };
    this.open.update(error instanceof Error ? errorFields(error) : { status: 'error', errorCode: name, errorMessage: message });
  }

  end(): void {
    try {
      this.open.update(aiSpanFields(this.#name, this.#attributes));
    } finally {
      this.open.end();
    }
  }
}
