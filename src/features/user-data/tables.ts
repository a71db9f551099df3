export interface UserDeletionRow {
  job_id: string;
  traces: number;
  spans: number;
  scores: number;
  outcomes: number;
  newest_ms: number | null;
  receipt: string | null;
}

export interface UserDataTables {
  user_deletions: UserDeletionRow;
}

declare module '../../platform/postgres/tables.ts' {
  interface Tables extends UserDataTables {}
}
