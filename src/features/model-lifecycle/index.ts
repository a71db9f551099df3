export { dismissFinding } from './dismiss-finding.ts';
export { listFindings } from './list-findings.ts';
export { open } from './open.ts';
export type { LifecycleFeature } from './open.ts';
export { setOverride } from './overrides.ts';
export { scanProject } from './scan.ts';
export { catalogueIn, importCatalogue } from './stored-catalogue.ts';
