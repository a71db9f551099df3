export { spanwiseExporter } from './exporter.ts';
export type { SpanwiseExporterOptions } from './exporter.ts';
export { SpanwiseSpanProcessor } from './span-processor.ts';
export type { SpanwiseProcessorOptions } from './span-processor.ts';
