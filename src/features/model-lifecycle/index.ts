export { open } from './open.ts';
export { importCatalogue } from './stored-catalogue.ts';
export type { LifecycleDb } from './tables.ts';
