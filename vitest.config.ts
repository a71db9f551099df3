import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'deploy/**/*.test.ts', 'test/**/*.test.ts', 'packages/**/*.test.ts', 'web/**/*.test.ts'],
    // Those drive a browser: `npm run test:e2e`.
    exclude: [...configDefaults.exclude, 'test/e2e/**'],
    // The embedded ClickHouse binds one data directory to a process: each file has one of its own.
    globalSetup: ['test/support/empty-cluster.ts'],
    pool: 'forks',
    isolate: true,
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A zone that nobody works in, so that whatever depends on the machine's shows.
    env: { TZ: 'Pacific/Kiritimati', UV_THREADPOOL_SIZE: '16' },
    reporters: ['default', './scripts/count-reporter.mjs'],
  },
});
