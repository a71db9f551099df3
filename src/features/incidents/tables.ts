import type { Generated, Selectable } from 'kysely';
import type { AlertType } from '../../contract/alerts.ts';
import type { IncidentEventKind } from '../../contract/incidents.ts';
import type { IncidentStatus } from '../../contract/kinds.ts';

export interface IncidentTables {
  incidents: {
    id: string;
    project_id: string;
    rule_id: string;
    rule_name: string;
    type: AlertType;
    /** `''` for a rule without groups. */
    scope: string;
    environment: string | null;
    status: IncidentStatus;
    opened_at: Date;
    acknowledged_at: Date | null;
    acknowledged_by: string | null;
    resolved_at: Date | null;
    resolved_by: string | null;
    resolution: string | null;
    value: number | null;
    peak_value: number | null;
    threshold: number | null;
    summary: string;
    sample_trace_ids: string[];
    /** JSON: an array of changes. */
    changes: string;
    /** When the opening was last announced. */
    notified_at: Date;
  };
  incident_events: {
    id: Generated<number>;
    incident_id: string;
    at: Date;
    kind: IncidentEventKind;
    by: string | null;
    note: string | null;
  };
}

declare module '../../platform/postgres/tables.ts' {
  interface Tables extends IncidentTables {}
}

export type IncidentRow = Selectable<IncidentTables['incidents']>;
