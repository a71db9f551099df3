/** JSON stored as text. */
type JsonText = string;

export interface JobRow {
  id: string;
  project_id: string;
  organization_id: string;
  type: string;
  input: JsonText;
  actor: JsonText;
  created_by: string;
  matched: number;
  pages: number;
  next_page: number;
  done: number;
  failed: number;
  errors: JsonText;
  state: JsonText | null;
  result: JsonText | null;
  cancelled_at: Date | null;
  completed_at: Date | null;
  lane: string;
  status: 'preparing' | 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
  attempts: number;
  run_at: Date;
  lease_until: Date | null;
  lease_id: string | null;
  error: string | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}

export interface JobTables {
  jobs: JobRow;
  job_pages: { job_id: string; page: number; items: string[]; noted: string[] };
}

declare module '../../platform/postgres/tables.ts' {
  interface Tables extends JobTables {}
}
