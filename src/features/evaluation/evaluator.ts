import type { Selectable } from 'kysely';
import type { EvaluatorRecord } from '../../contract/evaluations.ts';
import type { EvaluatorFilter, EvaluatorTarget, EvaluatorTypeName } from '../../contract/evaluators.ts';
import type { EvaluationTables, LaneName } from './tables.ts';

/** An evaluator as the service works with it. */
export interface Evaluator {
  id: string;
  projectId: string;
  slug: string;
  name: string;
  type: EvaluatorTypeName;
  /** Checked by its type when it was saved. */
  config: Readonly<Record<string, unknown>>;
  target: EvaluatorTarget;
  filter: EvaluatorFilter;
  sampleRate: number;
  passThreshold: number | null;
  idleMinutes: number;
  enabled: boolean;
  enabledAtMs: number;
  createdAtMs: number;
  updatedAtMs: number;
}

type EvaluatorRow = Selectable<EvaluationTables['evaluators']>;

export function toEvaluator(row: EvaluatorRow): Evaluator {
  return {
    id: row.id,
    projectId: row.project_id,
    slug: row.slug,
    name: row.name,
    type: row.type,
    config: JSON.parse(row.config) as Evaluator['config'],
    target: row.target,
    filter: JSON.parse(row.filter) as EvaluatorFilter,
    sampleRate: row.sample_rate,
    passThreshold: row.pass_threshold,
    idleMinutes: row.idle_minutes,
    enabled: row.enabled,
    enabledAtMs: row.enabled_at.getTime(),
    createdAtMs: row.created_at.getTime(),
    updatedAtMs: row.updated_at.getTime(),
  };
}

/** An evaluator as it leaves the service. */
export function toRecord(evaluator: Evaluator): EvaluatorRecord {
  const { id, slug, name, type, config, target, filter, sampleRate, passThreshold, idleMinutes, enabled } = evaluator;
  return {
    id,
    slug,
    name,
    type,
    config,
    target,
    filter,
    sampleRate,
    passThreshold,
    idleMinutes,
    enabled,
    createdAt: new Date(evaluator.createdAtMs).toISOString(),
    updatedAt: new Date(evaluator.updatedAtMs).toISOString(),
  };
}

/** Whether a type compares with an expected output, which only items of dataset runs have. */
export function needsExpectedOutput(type: EvaluatorTypeName): boolean {
  return type === 'exact' || type === 'fuzzy';
}

/** Where runs of a type wait. */
export function laneOf(type: EvaluatorTypeName): LaneName {
  return type === 'llm_judge' ? 'judge' : 'quick';
}

/** Whether a score has passed, where neither the score nor its evaluator's type says so: contract section 5. */
export function passedBy(threshold: number | null, score: number): boolean | null {
  return threshold === null ? null : score >= threshold;
}
