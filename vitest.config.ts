import { configDefaults, defineConfig } from 'vitest/config';
import { longestFirst } from './test/support/longest-first.ts';
import { guardrailTypesPlugin } from './web/guardrail-types-plugin.ts';

export default defineConfig({
  plugins: [guardrailTypesPlugin()],
  test: {
    include: ['src/**/*.test.ts', 'deploy/**/*.test.ts', 'test/**/*.test.ts', 'packages/**/*.test.ts', 'web/**/*.test.ts'],
    // `npm run test:e2e` drives a browser; `npm run test:faults` kills processes, breaks disks and stops servers.
    exclude: [...configDefaults.exclude, 'test/e2e/**', 'test/faults/**', '**/*.fault.test.ts'],
    globalSetup: ['test/support/temporary-files.ts', 'test/support/compared-reads.ts', 'test/support/store-templates.ts'],
    // Files share a process for each worker, so that modules load once. chDB opens one data directory at a time in a process; each file
    // closes its own.
    pool: 'forks',
    isolate: false,
    setupFiles: ['test/support/check-leftovers.ts', 'test/support/pinned-seeds.ts', 'test/support/both-ways.ts'],
    // One more than the cores of the smallest machine: tests also wait, for threads of the databases and for each other.
    maxWorkers: 3,
    sequence: {
      sequencer: longestFirst([
        'test/security/every-caller.test.ts',
        'test/security/fuzz.test.ts',
        'test/api/online-evaluation.test.ts',
        'src/features/models/count-traces.test.ts',
        'src/features/models/models.test.ts',
      ]),
    },
    // Generous, for machines with other load.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    unstubEnvs: true,
    // No machine is in this zone: what depends on the machine's zone fails.
    env: { TZ: 'Pacific/Kiritimati', UV_THREADPOOL_SIZE: '16' },
    reporters: ['default', './scripts/count-reporter.mjs'],
  },
});
