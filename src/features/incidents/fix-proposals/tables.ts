import type { FixProposalStatus } from '../../../contract/fix-proposals.ts';

export interface FixProposalTables {
  fix_proposals: {
    id: string;
    project_id: string;
    incident_id: string;
    prompt_name: string;
    base_version: number;
    base_version_id: string;
    connection_id: string;
    /** JSON of a {@link ProposedIncident}. */
    incident: string;
    /** JSON array. */
    trace_ids: string;
    /** The retention edge when the run was requested, epoch milliseconds. */
    oldest_ms: number;
    requested_by: string;
    lane: string;
    status: FixProposalStatus;
    attempts: number;
    run_at: Date;
    lease_until: Date | null;
    lease_id: string | null;
    error: string | null;
    proposed_version: number | null;
    rationale: string | null;
    /** JSON array of lines. */
    diff: string | null;
    cost_usd: number | null;
    created_at: Date;
    started_at: Date | null;
    finished_at: Date | null;
  };
}

declare module '../../../platform/postgres/tables.ts' {
  interface Tables extends FixProposalTables {}
}
