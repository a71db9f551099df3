export type { Feature, FeatureJob, StoreName } from './feature.ts';
export type { Platform, Stores } from './platform.ts';
