export { open } from './open.ts';
export type { ComplianceFeature } from './open.ts';
export { generatePack } from './packs/generate-pack.ts';
