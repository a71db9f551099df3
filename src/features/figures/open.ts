import type { Feature, Platform } from '../../platform/feature/index.ts';
import { deleteSupersededSeals } from './delete-superseded-seals.ts';
import { HourStates } from './hour-states.ts';
import { sealHours } from './seal-hours.ts';

export interface FiguresFeature extends Feature {
  hourStates: HourStates;
}

const sealEveryMs = 2_000;
const deleteSupersededEveryMs = 30 * 60_000;

/** The states of hours, and the jobs that seal them. */
export function open({ postgres, clickhouse, clock }: Pick<Platform, 'postgres' | 'clickhouse' | 'clock'>): FiguresFeature {
  const hourStates = new HourStates(postgres.db, clock);
  const context = { clickhouse, clock, hourStates };
  return {
    hourStates,
    jobs: [
      { name: 'seal-hours', everyMs: sealEveryMs, changes: ['clickhouse', 'postgres'], run: () => sealHours(context) },
      {
        name: 'delete-superseded-seals',
        everyMs: deleteSupersededEveryMs,
        changes: ['clickhouse', 'postgres'],
        run: () => deleteSupersededSeals(context),
      },
    ],
  };
}
