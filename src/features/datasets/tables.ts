/** JSON stored as text, so that it is returned as it was sent. */
export type JsonText = string;

/** `error` of a run item that is given as successful; the status of its trace is not used. */
export const didNotFail: JsonText = 'false';

export interface DatasetsTables {
  datasets: {
    id: string;
    project_id: string;
    name: string;
    description: string | null;
    metadata: JsonText;
    last_place: number;
    item_count: number;
    created_at: Date;
    updated_at: Date;
  };
  dataset_items: {
    id: string;
    dataset_id: string;
    place: number;
    input: JsonText;
    expected_output: JsonText | null;
    metadata: JsonText;
    source_trace_id: string | null;
    source_span_id: string | null;
    external_id: string | null;
    /** {@link external_id} while the item is of an import that has not ended. */
    pending_external_id: string | null;
    created_at: Date;
    updated_at: Date;
  };
  dataset_imports: {
    id: string;
    dataset_id: string;
    first_place: number;
    last_place: number;
    lease_until: Date;
    abandoned: boolean;
    /** Who imports, once all items are stored and are being merged. */
    merging_for: JsonText | null;
    merged_place: number;
    changed_items: number;
    dropped_rows: number;
  };
  dataset_runs: {
    id: string;
    dataset_id: string;
    name: string;
    metadata: JsonText;
    created_at: Date;
    updated_at: Date;
  };
  dataset_run_items: {
    id: string;
    run_id: string;
    dataset_item_id: string;
    trace_id: string | null;
    output: JsonText | null;
    latency_ms: number | null;
    cost_usd: number | null;
    error: JsonText | null;
    created_at: Date;
  };
  dataset_run_scores: {
    run_item_id: string;
    evaluator: string;
    score: number;
    passed: boolean | null;
    comment: string | null;
    scored_at: Date;
  };
}

declare module '../../platform/postgres/tables.ts' {
  interface Tables extends DatasetsTables {}
}
