import { Table } from '../../../platform/tables/index.ts';
import type { GuardrailActivityRecord } from '../../records/index.ts';

const blank: GuardrailActivityRecord = {
  activityId: '',
  atMs: 0,
  stage: 'input',
  environment: '',
  checks: 0,
  flagged: 0,
  redacted: 0,
  blocked: 0,
  failed: 0,
  guardrails: [],
};

/**
 * Table `guardrail_activity`: a row is the checks of one moment, stage and environment. The arrays `guardrail_*` have one element a guardrail; `latencies`
 * and `timed_guardrails` have one element a measured result. No text that was checked is in it.
 */
export const guardrailActivity = new Table({
  name: 'guardrail_activity',
  timeColumn: 'start_time',
  layoutVersion: 1,
  blank,
  tombstone: {
    columns: ['project_id', 'activity_id', 'version', 'is_deleted', 'start_time'],
    row: ({ activityId, atMs }: Pick<GuardrailActivityRecord, 'activityId' | 'atMs'>): GuardrailActivityRecord => ({
      ...blank,
      activityId,
      atMs,
    }),
  },
  columns: (to, stamp, { guardrails, ...row }) => {
    to.uuid('project_id', stamp.projectId);
    to.string('activity_id', row.activityId);
    to.uint64('version', stamp.version);
    to.boolean('is_deleted', stamp.deleted);
    to.milliseconds('start_time', row.atMs);
    to.string('stage', row.stage);
    to.string('environment', row.environment);
    to.uint64('checks', row.checks);
    to.uint64('flagged', row.flagged);
    to.uint64('redacted', row.redacted);
    to.uint64('blocked', row.blocked);
    to.uint64('failed', row.failed);
    const each = <Value>(value: (counts: (typeof guardrails)[number]) => Value): Value[] => guardrails.map(value);
    to.strings(
      'guardrails',
      each(({ guardrail }) => guardrail),
    );
    to.strings(
      'guardrail_types',
      each(({ type }) => type),
    );
    to.numbers(
      'guardrail_checks',
      each(({ checks }) => checks),
    );
    to.numbers(
      'guardrail_flagged',
      each(({ flagged }) => flagged),
    );
    to.numbers(
      'guardrail_redacted',
      each(({ redacted }) => redacted),
    );
    to.numbers(
      'guardrail_blocked',
      each(({ blocked }) => blocked),
    );
    to.numbers(
      'guardrail_failed',
      each(({ failed }) => failed),
    );
    to.strings(
      'timed_guardrails',
      guardrails.flatMap(({ guardrail, latencies }) => latencies.map(() => guardrail)),
    );
    to.numbers(
      'latencies',
      guardrails.flatMap(({ latencies }) => latencies),
    );
  },
});
