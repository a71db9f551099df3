import type { EvaluationStatus, EvaluationTargetType } from '../../contract/kinds.ts';
import type { EvaluatorTarget, EvaluatorTypeName } from '../../contract/evaluators.ts';

/** Worker pools: evaluations that ask a model do not delay the others. */
export type PoolName = 'quick' | 'judge';

export interface EvaluationTables {
  evaluators: {
    id: string;
    project_id: string;
    slug: string;
    name: string;
    type: EvaluatorTypeName;
    /** JSON texts. */
    config: string;
    target: EvaluatorTarget;
    filter: string;
    sample_rate: number;
    pass_threshold: number | null;
    idle_minutes: number;
    enabled: boolean;
    enabled_at: Date;
    created_at: Date;
    updated_at: Date;
  };
  evaluations: {
    id: string;
    project_id: string;
    evaluator_id: string;
    evaluator: string;
    lane: PoolName;
    target_type: EvaluationTargetType;
    trace_id: string;
    span_id: string;
    session_id: string;
    run_item_id: string | null;
    score_id: string;
    status: EvaluationStatus;
    content_hash: string;
    score: number | null;
    passed: boolean | null;
    comment: string | null;
    error: string | null;
    attempts: number;
    input_tokens: number | null;
    output_tokens: number | null;
    cost_usd: number | null;
    run_at: Date;
    lease_until: Date | null;
    lease_id: string | null;
    created_at: Date;
    started_at: Date | null;
    finished_at: Date | null;
    withdraws: boolean;
  };
  evaluation_refusals: { project_id: string; hour: Date; refused: number };
  evaluation_sessions: {
    project_id: string;
    session_key: string;
    session_id: string;
    last_span_at: Date;
    open: boolean;
  };
  evaluation_rootless_traces: { project_id: string; trace_id: string; last_span_at: Date };
  /** See migrations/postgres/0014_unscaled_evaluators.sql. */
  unscaled_evaluators: {
    evaluator_id: string;
    project_id: string;
    score_id_prefix: string;
    slug: string;
    scale_min: number | null;
    scale_max: number | null;
    created_at: Date;
  };
  session_completions: { evaluator_id: string; session_key: string; last_span_at: Date; completed_at: Date };
}

declare module '../../platform/postgres/tables.ts' {
  interface Tables extends EvaluationTables {}
}
