import type { EvaluationFeature } from '../evaluation/index.ts';
import type { JobType } from '../jobs/index.ts';
import { spanOfKey } from './record-ids.ts';
import { tenantOfJob } from './selected-tenant.ts';
import type { SelectedRecords } from './selected-tenant.ts';

export interface EvaluateRecords extends SelectedRecords {
  evaluatorIds: string[];
  onlyUnscored: boolean;
  /** null: no limit. */
  maxCostUsd: number | null;
}

/** What the recorded pages cost, US dollars. */
interface Spent {
  costUsd: number;
}

/** Jobs that run evaluators over stored traces or spans. A page is small: a judge takes seconds for each record. */
export function evaluationJobs({ stored }: Pick<EvaluationFeature, 'stored'>): JobType<EvaluateRecords, Spent> {
  return {
    type: 'evaluate',
    permission: 'evaluations:manage',
    byKey: 'none',
    pageSize: 20,
    run: async ({ job, items, signal }) => {
      const { input } = job;
      let costUsd = job.state?.costUsd ?? 0;
      const failed = await stored.evaluate({
        tenant: tenantOfJob(job),
        evaluatorIds: input.evaluatorIds,
        records: items.map((key) => ({ key, ...(input.on === 'spans' ? spanOfKey(key) : { traceId: key, spanId: '' }) })),
        onlyUnscored: input.onlyUnscored,
        mayPay: () => input.maxCostUsd === null || costUsd < input.maxCostUsd,
        onPaid: (paid) => {
          costUsd += paid;
        },
        signal,
      });
      return { failed: [...failed].map(([id, error]) => ({ id, error })), state: { costUsd } };
    },
  };
}
