export { OnDemandThread } from './on-demand-thread.ts';
export { serveParent } from './serve-parent.ts';
export type { ParentThread } from './serve-parent.ts';
export { withTransfer } from './transfer.ts';
export { WorkerThread } from './worker-thread.ts';
