import type { Generated } from 'kysely';
import type { Repricing } from '../../contract/prices.ts';

export interface PriceRow {
  project_id: string;
  model: string;
  input_per_million: number;
  output_per_million: number;
  cached_input_per_million: number | null;
  cache_write_per_million: number | null;
  applies_from: string | null;
  updated_by: string;
  updated_at: Date;
}

export interface RepricingRow {
  id: string;
  project_id: string;
  organization_id: string;
  from_ms: number;
  before_ms: number;
  models: string | null;
  dry_run: boolean;
  created_by: string;
  spans: number;
  changed: number;
  /** A numeric, as text. */
  cost_before: string;
  cost_after: string;
  status: Repricing['status'];
  error: string | null;
  created_at: Date;
  finished_at: Date | null;
}

export interface PricesTables {
  project_prices: PriceRow;
  repricings: RepricingRow & {
    /** Default false. */
    ended: Generated<boolean>;
    /** JSON of the project's own prices when it was queued. */
    prices: string;
    lane: string;
    run_at: Date;
    lease_until: Date | null;
    lease_id: string | null;
    started_at: Date | null;
    attempts: Generated<number>;
    page: string | null;
    after_trace_id: Generated<string>;
    after_span_id: Generated<string>;
  };
}

declare module '../../platform/postgres/tables.ts' {
  interface Tables extends PricesTables {}
}
