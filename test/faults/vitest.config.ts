import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Tests that kill processes, cut the power, break disks and stop servers: `npm run test:faults`. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['test/faults/**/*.test.ts', 'src/**/*.fault.test.ts'],
    globalSetup: ['test/support/store-templates.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 120_000,
    env: { TZ: 'Pacific/Kiritimati', UV_THREADPOOL_SIZE: '16' },
    reporters: ['default', './scripts/count-reporter.mjs'],
  },
});
