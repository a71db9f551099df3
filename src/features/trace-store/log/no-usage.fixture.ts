import type { UsageStore } from './usage-store.ts';

/** A usage store for tests that count nothing. */
export const noUsage = { count: () => Promise.resolve(), highestVersion: () => Promise.resolve(0) } as unknown as UsageStore;
