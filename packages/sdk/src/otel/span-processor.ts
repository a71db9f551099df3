import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { spanwiseExporter } from './exporter.ts';
import type { SpanwiseExporterOptions } from './exporter.ts';
import { maxSpans } from './span-batches.ts';

export interface SpanwiseProcessorOptions extends SpanwiseExporterOptions {
  /** Maximum spans that wait to be sent; further ones are dropped. Default: 8,192. */
  maxQueueSize?: number | undefined;
  /** Milliseconds that a span waits for others. Default: 1,000. */
  scheduledDelayMs?: number | undefined;
}

/** A batch span processor with the exporter of Spanwise and the batch size that the service takes. */
export class SpanwiseSpanProcessor extends BatchSpanProcessor {
  constructor(options: SpanwiseProcessorOptions = {}) {
    const { maxQueueSize = 8_192, scheduledDelayMs = 1_000 } = options;
    super(spanwiseExporter(options), {
      maxExportBatchSize: Math.min(maxSpans, maxQueueSize),
      maxQueueSize,
      scheduledDelayMillis: scheduledDelayMs,
      exportTimeoutMillis: 3 * (options.timeoutMs ?? 10_000),
    });
  }
}
