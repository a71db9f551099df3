import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { readSettings } from '../settings.ts';
import { batchesOfSpans } from './span-batches.ts';

export interface SpanwiseExporterOptions {
  /** API key of the project. Default: `SPANWISE_API_KEY`. Without one nothing is sent. */
  apiKey?: string | undefined;
  /** Address of the service. Default: `SPANWISE_URL`, or `http://127.0.0.1:4318`. */
  baseUrl?: string | undefined;
  /** Further headers. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds after which a request is given up. Default: 10,000. */
  timeoutMs?: number | undefined;
}

type Done = Parameters<SpanExporter['export']>[1];
type Result = Parameters<Done>[0];

/** As OpenTelemetry's ExportResultCode. */
const [success, failed] = [0, 1];

/**
 * An exporter that sends spans to Spanwise: OTLP over HTTP, protobuf, compressed. What a span processor gives at once is sent in requests of at most 512
 * spans and 1 MB, the limits of the service.
 */
export function spanwiseExporter(options: SpanwiseExporterOptions = {}): SpanExporter {
  const { apiKey, baseUrl, timeoutMs, problem } = readSettings(options);
  if (problem !== null) {
    // oxlint-disable-next-line no-console
    console.warn(problem);
    return silent;
  }
  const compression = 'gzip' as NonNullable<ConstructorParameters<typeof OTLPTraceExporter>[0]>['compression'];
  const exporter = new OTLPTraceExporter({
    url: `${baseUrl}/v1/traces`,
    headers: { ...options.headers, 'x-api-key': apiKey },
    timeoutMillis: timeoutMs,
    ...(compression === undefined ? {} : { compression }),
  });
  return {
    export: (spans, done) => void exportAll(exporter, spans).then(done),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}

/** Does nothing. */
const silent: SpanExporter = {
  export: (_spans, done) => done({ code: success }),
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
};

/** Sends one batch after another. The first failure is the result; later batches are sent all the same. */
async function exportAll(exporter: SpanExporter, spans: ReadableSpan[]): Promise<Result> {
  let result: Result = { code: success };
  for (const batch of batchesOfSpans(spans)) {
    const one = await new Promise<Result>((resolve) => exporter.export(batch, resolve));
    if (one.code === failed && result.code === success) result = one;
  }
  return result;
}
