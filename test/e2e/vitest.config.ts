import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Tests that drive a browser against the real service: `npm run test:e2e`. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['test/e2e/**/*.test.ts'],
    globalSetup: ['test/e2e/build-dashboard.ts', 'test/e2e/make-dashboard-data.ts'],
    pool: 'forks',
    // Each file has a service, on a copy of the same data, and a browser of its own.
    maxWorkers: 2,
    // Generous, for machines with other load.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 120_000,
    hookTimeout: 180_000,
    reporters: ['default', './scripts/count-reporter.mjs'],
  },
});
