import type { IngestEvent } from './events.ts';

/** Options of a client. Each may be left out. */
export interface SpanwiseOptions {
  /** API key of the project. Default: `SPANWISE_API_KEY`. Without one the client sends nothing. */
  apiKey?: string | undefined;
  /** Address of the service, without its query and fragment. Default: `SPANWISE_URL`, or `http://127.0.0.1:4318`. */
  baseUrl?: string | URL | undefined;
  /** Environment of everything that is sent, such as `production`. Default: `SPANWISE_ENVIRONMENT`. */
  environment?: string | undefined;
  /** Version of the application. */
  release?: string | undefined;
  /** Name of the application. */
  service?: string | undefined;
  /** Milliseconds after which a request is given up. Default: 10,000. */
  timeoutMs?: number | undefined;
  /** Maximum events that wait to be sent; further ones are dropped. Default: 10,000. */
  maxQueue?: number | undefined;
  /** Milliseconds that an event waits for others. Default: 1,000. */
  flushMs?: number | undefined;
  /** What guardrails answer when neither the bundle nor the service can be had. Default: `block`. */
  onUnavailable?: 'allow' | 'block' | undefined;
  /**
   * Called last, with each span, trace and score as it would be sent: a copy as plain JSON. Returns what is sent instead, or null to send nothing. It must not
   * be asynchronous. An event for which it throws is dropped and counted as refused.
   */
  redact?: ((event: IngestEvent) => IngestEvent | null) | undefined;
  /** Called with what goes wrong; with one kind of trouble with the delivery at most once in 60 seconds. What it throws is ignored. */
  onError?: ((error: Error) => void) | undefined;
  /** Default: the global `fetch`. */
  fetch?: typeof fetch | undefined;
}

/** Options with their defaults. */
export interface Settings {
  apiKey: string;
  /** Without a slash at its end, a query or a fragment: paths are appended. */
  baseUrl: string;
  environment: string | undefined;
  release: string | undefined;
  service: string | undefined;
  timeoutMs: number;
  maxQueue: number;
  flushMs: number;
  onUnavailable: 'allow' | 'block';
  redact: SpanwiseOptions['redact'];
  onError: SpanwiseOptions['onError'];
  fetch: typeof fetch;
  /** Why nothing is sent; null when the client works. */
  problem: string | null;
}

/** Fills options from the environment and with defaults. Never throws: `problem` says what makes a client useless. */
export function readSettings(options: SpanwiseOptions): Settings {
  const apiKey = options.apiKey || variable('SPANWISE_API_KEY') || '';
  const address = String(options.baseUrl || variable('SPANWISE_URL') || 'http://127.0.0.1:4318');
  const baseUrl = withoutSlashes(address.replace(/[?#].*/s, ''));
  return {
    apiKey,
    baseUrl,
    environment: options.environment ?? variable('SPANWISE_ENVIRONMENT'),
    release: options.release,
    service: options.service,
    timeoutMs: atLeast(1, options.timeoutMs, 10_000),
    maxQueue: atLeast(1, options.maxQueue, 10_000),
    flushMs: atLeast(0, options.flushMs, 1_000),
    onUnavailable: options.onUnavailable ?? 'block',
    redact: options.redact,
    onError: options.onError,
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    problem: problemOf(apiKey, baseUrl),
  };
}

/** An address without slashes at its end. */
function withoutSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}

function problemOf(apiKey: string, baseUrl: string): string | null {
  if (apiKey === '') return 'Spanwise sends nothing: there is no API key. Set SPANWISE_API_KEY, or the option apiKey.';
  // A header takes neither spaces nor letters beyond ASCII.
  if (!/^[!-~]+$/.test(apiKey)) return 'Spanwise sends nothing: the API key has characters that no key has. Copy it again.';
  try {
    if (/^https?:$/.test(new URL(baseUrl).protocol)) return null;
  } catch {
    // No URL at all.
  }
  return `Spanwise sends nothing: ${JSON.stringify(baseUrl)} is no http or https URL. Set SPANWISE_URL, or the option baseUrl.`;
}

function atLeast(least: number, value: number | undefined, byDefault: number): number {
  return value !== undefined && value >= least ? value : byDefault;
}

/** A variable of the environment, where there is one. */
function variable(name: string): string | undefined {
  try {
    const { process } = globalThis as { process?: { env?: Readonly<Record<string, string | undefined>> } };
    return process?.env?.[name] || undefined;
  } catch {
    // Deno refuses it without permission.
    return undefined;
  }
}
