import type { BatchItemStatus, ReferenceMode } from '../../contract/simulations.ts';
import type { BatchRunStatus, CostStatus } from '../../contract/kinds.ts';

/** JSON stored as text, so that it is returned as it was sent. */
type JsonText = string;

export interface ScenarioRow {
  id: string;
  project_id: string;
  name: string;
  description: string | null;
  /** With `***` for the values of secret headers. */
  target: JsonText;
  /** JSON of {@link TargetSecrets}, sealed for the scenario's id. */
  sealed_headers: string | null;
  /** Whether the target holds no secret, as one of an earlier release may. */
  headers_sealed: boolean;
  dataset_id: string;
  reference_match: ReferenceMode | null;
  created_at: Date;
  updated_at: Date;
}

export interface BatchRunRow {
  id: string;
  project_id: string;
  scenario_id: string;
  scenario_name: string;
  target: JsonText;
  sealed_headers: string | null;
  headers_sealed: boolean;
  /** JSON array of ids. */
  evaluators: JsonText;
  reference_match: ReferenceMode | null;
  dataset_id: string;
  dataset_run_id: string;
  label: string | null;
  concurrency: number;
  repetitions: number;
  total: number;
  created_by: string;
  prompt_version: number | null;
  first_started_at: Date | null;
  cancelled_at: Date | null;
  /** Figures of a run that has ended; null before. */
  passed: number | null;
  not_passed: number | null;
  errors: number | null;
  cancelled: number | null;
  latency_p50_ms: number | null;
  latency_p95_ms: number | null;
  cost_usd: number | null;
  unpriced_calls: number | null;
  partly_priced_calls: number | null;
  lane: string;
  status: BatchRunStatus;
  attempts: number;
  run_at: Date;
  lease_until: Date | null;
  lease_id: string | null;
  error: string | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}

export interface ItemRow {
  batch_run_id: string;
  place: number;
  repetition: number;
  dataset_item_id: string;
  status: BatchItemStatus;
  answered: boolean;
  output: JsonText | null;
  error: string | null;
  error_kind: 'target' | 'evaluator' | null;
  latency_ms: number | null;
  cost_usd: number | null;
  /** Of the item's call; null without one, and of an item that an earlier release recorded. */
  cost_status: CostStatus | null;
  trace_id: string | null;
  reference_match: boolean | null;
  scores: JsonText | null;
}

export interface SimulationTables {
  simulation_scenarios: ScenarioRow;
  simulation_scenario_evaluators: { scenario_id: string; evaluator_id: string; position: number };
  simulation_batch_runs: BatchRunRow;
  simulation_inputs: {
    batch_run_id: string;
    place: number;
    input: JsonText;
    expected_output: JsonText | null;
    metadata: JsonText;
  };
  simulation_items: ItemRow;
}

declare module '../../platform/postgres/tables.ts' {
  interface Tables extends SimulationTables {}
}
