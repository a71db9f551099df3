import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { longestFirst } from '../support/longest-first.ts';

/** Tests that drive a browser against the real service: `npm run test:e2e`. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['test/e2e/**/*.test.ts'],
    globalSetup: [
      'test/support/temporary-files.ts',
      'test/support/store-templates.ts',
      'test/e2e/build-dashboard.ts',
      'test/e2e/make-dashboard-data.ts',
    ],
    setupFiles: ['test/e2e/tell-failures.ts'],
    pool: 'forks',
    // Files share a process and a browser for each worker. Those that change what others read have a service of their own, on a copy of the same data.
    isolate: false,
    maxWorkers: 2,
    sequence: {
      sequencer: longestFirst(['test/e2e/every-page.test.ts', 'test/e2e/prompts.test.ts', 'test/e2e/journeys.test.ts']),
    },
    // Generous, for machines with other load.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 120_000,
    hookTimeout: 180_000,
    reporters: ['default', './scripts/count-reporter.mjs'],
  },
});
