export interface LifecycleTables {
  lifecycle_findings: {
    id: string;
    project_id: string;
    model: string;
    /** `''`: the calls name none. */
    provider: string;
    present: boolean;
    /** `YYYY-MM-DD`. */
    retires_on: string;
    replacement: string | null;
    source: string | null;
    state: 'open' | 'dismissed';
    raised_at: Date;
    raised_band: number;
    dismissed_at: Date | null;
    dismissed_by: string | null;
    dismissed_band: number | null;
    calls: number;
    cost: number;
    unpriced_calls: number;
    partly_priced_calls: number;
    agents: string[];
    last_called_at: Date;
  };
  lifecycle_scans: { project_id: string; scanned_at: Date };
  lifecycle_overrides: {
    project_id: string;
    model: string;
    provider: string | null;
    retires_on: string;
    replacement: string | null;
    source: string | null;
    updated_by: string;
    updated_at: Date;
  };
  lifecycle_catalogue: { id: boolean; content: string; imported_at: Date };
}

declare module '../../platform/postgres/tables.ts' {
  interface Tables extends LifecycleTables {}
}
