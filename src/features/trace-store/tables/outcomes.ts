import { Table } from '../../../platform/tables/index.ts';
import type { OutcomeRecord } from '../../records/index.ts';

const blank: OutcomeRecord = {
  outcomeId: '',
  traceId: '',
  kind: '',
  occurredMs: 0,
  value: null,
  currency: '',
  success: null,
  idempotencyKey: '',
  metadata: '',
};

/** Table `outcomes`: a row is one version of an outcome. Its key has no trace: an outcome of the same id replaces one of another trace. */
export const outcomes = new Table({
  name: 'outcomes',
  timeColumn: 'start_time',
  layoutVersion: 1,
  blank,
  tombstone: {
    columns: ['project_id', 'outcome_id', 'version', 'is_deleted', 'start_time'],
    row: ({ outcomeId, occurredMs }: Pick<OutcomeRecord, 'outcomeId' | 'occurredMs'>): OutcomeRecord => ({
      ...blank,
      outcomeId,
      occurredMs,
    }),
  },
  columns: (to, stamp, outcome) => {
    to.uuid('project_id', stamp.projectId);
    const outcomeId = to.string('outcome_id', outcome.outcomeId);
    const version = to.uint64('version', stamp.version);
    to.boolean('is_deleted', stamp.deleted);
    to.text('trace_id', outcome.traceId);
    to.text('kind', outcome.kind);
    const occurredMs = to.milliseconds('start_time', outcome.occurredMs);
    to.nullableFloat64('value', outcome.value);
    to.text('currency', outcome.currency);
    to.nullableBoolean('success', outcome.success);
    to.text('idempotency_key', outcome.idempotencyKey);
    to.payload('metadata', outcome.metadata);
    return { outcomeId, version, occurredMs };
  },
});

export type OutcomeHeader = ReturnType<typeof outcomes.parse>;
