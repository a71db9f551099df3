import { LocalBatchBuilder, Pipeline } from '../../src/features/trace-store/index.ts';
import { noUsage as usage } from '../../src/features/trace-store/log/no-usage.fixture.ts';
import type { Clock } from '../../src/platform/clock/clock.ts';
import type { ClickHouse } from '../../src/platform/clickhouse/index.ts';
import { MemoryLog } from './memory-log.ts';

/** Options of a test's pipeline. */
type PipelineOptions = Partial<Pick<Parameters<typeof Pipeline.open>[0], 'log' | 'markHours' | 'deletions'>>;

/**
 * The real pipeline over a log in memory. It writes when `drain` is called. A batch that cannot be read or written fails the test.
 */
export function openTestPipeline(clickhouse: ClickHouse, clock: Clock, options: PipelineOptions = {}): Promise<Pipeline> {
  return Pipeline.open({
    clickhouse,
    builder: new LocalBatchBuilder(clickhouse),
    onUnreadable: (_record, name, reason) => Promise.reject(new Error(`${name}: ${reason}`)),
    log: new MemoryLog(),
    logId: 'test',
    usage,
    clock,
    onWriteError: (error) => {
      throw error;
    },
    markHours: () => Promise.resolve(),
    batchIntervalMs: 3_600_000,
    ...options,
  });
}
