import { isSecretHeader } from '../../../contract/simulations.ts';
import type { HttpTarget } from '../../../contract/simulations.ts';
import type { Clock } from '../../../platform/clock/clock.ts';
import { NetError, retryAfterMs } from '../../../platform/net/index.ts';
import type { HttpClient, IncomingAnswer } from '../../../platform/net/index.ts';
import { filledUrl } from '../scenarios/filled-url.ts';
import type { TargetSecrets } from '../scenarios/target-secrets.ts';
import { ItemError } from './item-error.ts';
import { maxOutputBytes } from './output-of.ts';
import type { Output } from './output-of.ts';
import type { OutputReader } from './output-reader.ts';
import { renderBody } from './template.ts';
import type { ItemContents } from './template.ts';

const maxRedirects = 5;
/** Retries of an answer of 429 or 503 with `Retry-After`, and the longest wait before one. */
const maxRetries = 2;
const maxRetryAfterMs = 30_000;
/** Another origin gets no header of the scenario but this. */
const keptAcrossOrigins: ReadonlySet<string> = new Set(['content-type']);

/** The answer of a target to an item. */
export interface TargetAnswer {
  output: Output;
  /** Milliseconds of the last attempt. */
  latencyMs: number;
  /** US dollars; null when it is not known. */
  costUsd: number | null;
  /** The model call, for the trace; null for an HTTP target. */
  call: {
    model: string;
    inputTokens: number;
    outputTokens: number;
    messages: string;
    /** Parameters of the prompt's configuration that were sent; what of it was not. */
    parameters: Readonly<Record<string, unknown>>;
    ignored: readonly string[];
  } | null;
}

export interface HttpTargetServices {
  http: Pick<HttpClient, 'request'>;
  outputReader: Pick<OutputReader, 'output'>;
  /** Whose answers count against a share of the memory for all. */
  projectId: string;
  clock: Clock;
  /** Waits so many milliseconds; rejects when the signal aborts. */
  delay(ms: number, signal: AbortSignal): Promise<void>;
}

/**
 * Sends an item to an HTTP target and reads the output from the answer (docs/semantics.md, "HTTP targets").
 *
 *
 * Errors: {@link ItemError}; {@link NetError} `aborted` when the signal aborts.
 */
export async function askHttpTarget(
  { http, outputReader, projectId, clock, delay }: HttpTargetServices,
  target: HttpTarget,
  secrets: TargetSecrets,
  contents: ItemContents,
  signal: AbortSignal,
): Promise<TargetAnswer> {
  const body = target.method === 'GET' ? null : renderBody(target.body, contents, secrets.named);
  const request = {
    url: filledUrl(target.url, secrets.named),
    method: target.method,
    headers: headersOf(target, secrets.headers, body !== null),
    ...(body === null ? {} : { body }),
    timeoutMs: target.timeoutMs,
    maxResponseBytes: maxOutputBytes,
    budgetKey: projectId,
    maxRedirects,
    keptAcrossOrigins,
    // A body may hold secrets, which another origin must not get.
    bodyAcrossOrigins: Object.keys(secrets.named).length === 0,
    signal,
  };
  for (let retries = 0; ; retries++) {
    const started = performance.now();
    const answer = await http.request(request).catch((error: unknown) => {
      throw faultOf(error, target);
    });
    const latencyMs = performance.now() - started;
    const waitMs = retries < maxRetries ? askedWaitMs(answer, clock.now()) : null;
    if (waitMs === null) return answered(outputReader, target, answer, latencyMs);
    await delay(waitMs, signal);
  }
}

function headersOf(
  { headers }: HttpTarget,
  secretHeaders: Readonly<Record<string, string>>,
  hasBody: boolean,
): Record<string, string> {
  const given = Object.entries(headers).map(([name, value]): [string, string] => {
    const lower = name.toLowerCase();
    return [lower, isSecretHeader(lower) ? (secretHeaders[lower] ?? '') : value];
  });
  return { ...(hasBody ? { 'content-type': 'application/json' } : {}), ...Object.fromEntries(given) };
}

async function answered(
  outputReader: HttpTargetServices['outputReader'],
  target: HttpTarget,
  { status, headers, body }: IncomingAnswer,
  latencyMs: number,
): Promise<TargetAnswer> {
  if (status < 200 || status >= 300) throw new ItemError(`The target answered ${status}; look at its log.`, { latencyMs });
  const encoding = headers['content-encoding']?.trim().toLowerCase() || 'identity';
  if (encoding !== 'identity') {
    const message = `The target compressed its answer (${encoding.slice(0, 100)}), which was not asked for; let it heed accept-encoding.`;
    throw new ItemError(message, { latencyMs });
  }
  try {
    return { output: await outputReader.output(body, target.outputPath), latencyMs, costUsd: null, call: null };
  } catch (error) {
    if (error instanceof ItemError) throw new ItemError(error.message, { latencyMs });
    throw error;
  }
}

/** How long to wait before the request is sent again, in milliseconds; null: it is not. */
function askedWaitMs({ status, headers }: IncomingAnswer, nowMs: number): number | null {
  const waitMs = status === 429 || status === 503 ? retryAfterMs(headers['retry-after'], nowMs) : undefined;
  return waitMs === undefined || waitMs > maxRetryAfterMs ? null : waitMs;
}

function faultOf(error: unknown, target: HttpTarget): unknown {
  if (!(error instanceof NetError) || error.kind === 'aborted') return error;
  const latencyMs = error.kind === 'timeout' ? target.timeoutMs : null;
  const message =
    error.kind === 'too-large'
      ? `The target sent an answer of more than ${maxOutputBytes / 1_048_576} MiB; answer a smaller one.`
      : `The target gave no answer: ${error.message}`;
  return new ItemError(message, { latencyMs, cause: error });
}
