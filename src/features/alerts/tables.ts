import type { Generated, Selectable } from 'kysely';
import type { AlertRule, AlertType, AlertWindow } from '../../contract/alerts.ts';

export interface AlertTables {
  alert_rules: {
    id: string;
    project_id: string;
    name: string;
    type: AlertType;
    threshold: number | null;
    window_name: AlertWindow | null;
    /** JSON: an `AlertFilter`. */
    filter: string;
    environment: string | null;
    group_by: AlertRule['groupBy'];
    count: AlertRule['count'];
    min_count: number | null;
    for_minutes: number;
    /** null: the threshold. */
    recovery_threshold: number | null;
    no_data: AlertRule['noData'];
    renotify_minutes: number | null;
    enabled: boolean;
    /** Counted up by every change and every evaluation. */
    version: Generated<number>;
    state: Generated<AlertRule['state']>;
    last_value: number | null;
    last_evaluated_at: Date | null;
    last_error: string | null;
    /** Since when evaluations have succeeded without a gap; null: as long as the job runs. */
    observed_since: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  alert_scopes: {
    rule_id: string;
    scope: string;
    holds: boolean;
    held_ms: number | null;
    recovered: number;
    suppressed: boolean;
    incident_id: string | null;
    evaluated_at: Date;
  };
  alert_observation: { id: Generated<boolean>; observed_since: Date | null; evaluated_at: Date };
}

declare module '../../platform/postgres/tables.ts' {
  interface Tables extends AlertTables {}
}

export type RuleRow = Selectable<AlertTables['alert_rules']>;
