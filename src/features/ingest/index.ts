export { requestDecoder } from './decode-request.ts';
export { readEvents } from './native/read-events.ts';
export { open } from './open.ts';
export type { IngestFeature } from './open.ts';

/** Program of the thread that builds batches (`BatchBuilderThread`). */
export const batchBuilderWorker = new URL('./batch-builder-worker.ts', import.meta.url);
