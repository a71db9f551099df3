import type { SpanEvent } from '../events.ts';
import type { CheckStage } from './wire.ts';

/** What a client says of its checks. */
export interface GuardSettings {
  /** What is answered when neither the bundle nor the service can be had. */
  onUnavailable: 'allow' | 'block';
  /** Environment of checks that name none. */
  environment?: string | undefined;
  /** Trace of checks that name none. */
  activeTraceId?: (() => string | undefined) | undefined;
  /** Parent of the span of such checks. */
  activeSpanId?: (() => string | undefined) | undefined;
  /** Takes the span of a check that belongs to a trace. Without it checks in the application leave no span. */
  send?: ((event: SpanEvent) => void) | undefined;
}

export interface CheckOptions {
  /** Default: `input`, of a stream `output`. */
  stage?: CheckStage | undefined;
  /** Default: the environment of the client. */
  environment?: string | undefined;
  /** Slugs: only these run. */
  guardrails?: readonly string[] | undefined;
  /** Trace that gets a span of the check. Default: the active trace. */
  traceId?: string | undefined;
  parentSpanId?: string | undefined;
  /** What is answered when neither the bundle nor the service can be had. Default: as the client says. */
  onUnavailable?: 'allow' | 'block' | undefined;
}
