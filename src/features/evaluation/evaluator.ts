import type { Selectable } from 'kysely';
import type { EvaluatorRecord } from '../../contract/evaluations.ts';
import type { EvaluatorFilter, EvaluatorTarget, EvaluatorTypeName } from '../../contract/evaluators.ts';
import { EvaluationError } from './evaluation-error.ts';
import type { EvaluationTables, PoolName } from './tables.ts';
import type { EvaluatorType } from './types/evaluator-type.ts';
import { evaluatorTypes } from './types/index.ts';

/** An evaluator. */
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

/** An evaluator as the API returns it. */
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
  return evaluatorTypes[type].needsExpectedOutput ?? false;
}

/** Lowest and highest score of an evaluator; null when its scores are no measure of quality. */
export function scaleOf({ type, config }: Pick<Evaluator, 'type' | 'config'>): readonly [number, number] | null {
  // The configuration was checked by the same type when it was stored.
  const { scale } = evaluatorTypes[type] as EvaluatorType<unknown>;
  return scale === undefined ? [0, 1] : scale(config);
}

/** Whether a type measures inputs and outputs. */
export function readsPayloads(type: EvaluatorTypeName): boolean {
  return !evaluatorTypes[type].ignoresPayloads;
}

/** The worker pool that runs a type. */
export function poolOf(type: EvaluatorTypeName): PoolName {
  return evaluatorTypes[type].pool ?? 'quick';
}

/**
 * Whether an evaluator's verdict has passed: by its threshold, which takes precedence, else as its type says (docs/semantics.md, "Pass thresholds").
 *
 * Errors: {@link EvaluationError} for a score that is not a finite number.
 */
export function decidedBy(
  { passThreshold }: Pick<Evaluator, 'passThreshold'>,
  { score, passed }: { score: number; passed: boolean | null },
): boolean | null {
  if (!Number.isFinite(score))
    throw new EvaluationError('The evaluator returned a score that is not a finite number.', { retryable: false });
  return passThreshold === null ? passed : score >= passThreshold;
}
