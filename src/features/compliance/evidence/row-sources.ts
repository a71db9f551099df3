import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { PackScope, RowSource } from './evidence-source.ts';

type Query = RowSource['query'];

/** Columns are selected under the names of the records' fields; a Date becomes ISO 8601. */
const rows = (order: string, description: string, query: Query, covers?: RowSource['covers']): RowSource => ({
  from: 'rows',
  order,
  description,
  query,
  ...(covers ? { covers } : {}),
});

const start = ({ fromMs }: PackScope) => sql`${new Date(fromMs)}::timestamptz`;
const end = ({ toMs }: PackScope) => sql`${new Date(toMs)}::timestamptz`;
const project = ({ projectId }: PackScope) => sql`${projectId}::uuid`;
const within = (column: RawBuilder<unknown>, scope: PackScope) =>
  sql`${column} >= ${start(scope)} AND ${column} <= ${end(scope)}`;
/** Texts of clients in records of a pack are cut. */
const cut = (column: RawBuilder<unknown>) => sql`left(${column}, 500)`;
const seconds = (until: RawBuilder<unknown>) => sql`extract(epoch FROM ${until} - opened_at)::double precision`;

/** Rows of PostgreSQL as evidence. Each query is a snapshot of the moment at which the pack is made. */
export const rowSources = {
  api_keys: rows(
    'createdAt, id',
    'The API keys that were in force at the end of the range, without their secrets. Does not show who holds them.',
    (scope) => sql`SELECT id, name, prefix, created_at AS "createdAt", last_used_at AS "lastUsedAt", revoked_at AS "revokedAt"
      FROM api_keys WHERE project_id = ${project(scope)} AND created_at <= ${end(scope)}
        AND (revoked_at IS NULL OR revoked_at > ${end(scope)}) AND (expires_at IS NULL OR expires_at > ${end(scope)}) ORDER BY created_at, id`,
    'end',
  ),
  guardrails_in_force: rows(
    'name',
    'The guardrails of the last policy revision of the range, with the SHA-256 of each specification, and whether files or the dashboard manage it.',
    (
      scope,
    ) => sql`SELECT policy.value ->> 'name' AS name, policy.value ->> 'managedBy' AS "managedBy", policy.value ->> 'sha256' AS sha256,
        revision, at AS since
      FROM (SELECT revision, at, policies FROM policy_revisions WHERE project_id = ${project(scope)} AND at <= ${end(scope)}
        ORDER BY revision DESC LIMIT 1) AS latest, jsonb_array_elements(policies::jsonb) AS policy
      WHERE policy.value ->> 'kind' = 'Guardrail' ORDER BY (policy.value ->> 'name') COLLATE "C"`,
    'end',
  ),
  policy_revisions: rows(
    'revision',
    'Every revision of the environments and guardrails in the range: who changed how many, from files or in the dashboard.',
    (scope) => sql`SELECT revision, at, by, source, summary::jsonb AS summary, audit_log_id AS "auditLogId"
      FROM policy_revisions WHERE project_id = ${project(scope)} AND ${within(sql`at`, scope)} ORDER BY revision`,
  ),
  alert_rules: rows(
    'createdAt, id',
    'The alert rules that stood when the pack was made and existed at the end of the range. Changes within it are entries of the audit log.',
    (scope) => sql`SELECT id, name, type, threshold, window_name AS "window", environment, enabled, created_at AS "createdAt",
        updated_at AS "updatedAt"
      FROM alert_rules WHERE project_id = ${project(scope)} AND created_at <= ${end(scope)} ORDER BY created_at, id`,
  ),
  incidents: rows(
    'openedAt, id',
    'Every incident that opened in the range, with the seconds until it was acknowledged and resolved. Shows what alert rules noticed, and nothing else.',
    (scope) => sql`SELECT id, rule_name AS "ruleName", type, scope, environment, status, opened_at AS "openedAt",
        acknowledged_at AS "acknowledgedAt", acknowledged_by AS "acknowledgedBy", ${seconds(sql`acknowledged_at`)} AS "secondsToAcknowledge",
        resolved_at AS "resolvedAt", resolved_by AS "resolvedBy", ${cut(sql`resolution`)} AS resolution, ${seconds(sql`resolved_at`)} AS "secondsToResolve",
        threshold, peak_value AS "peakValue", ${cut(sql`summary`)} AS summary
      FROM incidents WHERE project_id = ${project(scope)} AND ${within(sql`opened_at`, scope)} ORDER BY opened_at, id`,
  ),
  deliveries: rows(
    'finishedAt, id',
    'Notifications of alert rules that were delivered or failed, with their attempts, as far as they are kept. Does not show whether anybody read them.',
    (
      scope,
    ) => sql`SELECT id, rule_id AS "ruleId", lane AS channel, status, attempts, created_at AS "createdAt", finished_at AS "finishedAt"
      FROM notification_deliveries WHERE project_id = ${project(scope)} AND status IN ('delivered', 'failed')
        AND ${within(sql`finished_at`, scope)} ORDER BY finished_at, id`,
  ),
  reported_changes: rows(
    'at, id',
    'Changes of what the project runs that pipelines and people reported: deployments, configurations, prompts, models. Does not show unreported changes.',
    (scope) => sql`SELECT id, at, kind, service, version, commit_sha AS "commitSha", environment, actor, ${cut(sql`url`)} AS url,
        ${cut(sql`description`)} AS description, created_at AS "createdAt"
      FROM changes WHERE project_id = ${project(scope)} AND ${within(sql`at`, scope)} ORDER BY at, id`,
  ),
  evaluators: rows(
    'slug',
    'The evaluators that stood when the pack was made and existed at the end of the range. Changes within it are entries of the audit log.',
    (scope) => sql`SELECT id, slug, type, target, sample_rate AS "sampleRate", pass_threshold AS "passThreshold", enabled,
        created_at AS "createdAt", updated_at AS "updatedAt"
      FROM evaluators WHERE project_id = ${project(scope)} AND created_at <= ${end(scope)} ORDER BY slug COLLATE "C"`,
  ),
  evaluations: rows(
    'day, evaluator, targetType, status',
    'Evaluations that ended, counted by UTC day, evaluator, target and status, as far as they are kept. Does not show whether a score is right.',
    (
      scope,
    ) => sql`SELECT to_char(finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, evaluator, target_type AS "targetType", status,
        count(*) AS count, count(*) FILTER (WHERE passed) AS passed, count(*) FILTER (WHERE NOT passed) AS failed
      FROM evaluations WHERE project_id = ${project(scope)} AND status IN ('completed', 'failed', 'skipped') AND ${within(sql`finished_at`, scope)}
      GROUP BY 1, 2, 3, 4 ORDER BY 1, evaluator COLLATE "C", 3, 4`,
    'retained',
  ),
  dataset_runs: rows(
    'createdAt, id',
    'Runs of datasets against an application that were created in the range, with their items. Does not show whether a release waited for them.',
    (scope) => sql`SELECT run.id, dataset.name AS dataset, run.name, run.created_at AS "createdAt",
        (SELECT count(*) FROM dataset_run_items WHERE run_id = run.id) AS items
      FROM dataset_runs AS run JOIN datasets AS dataset ON dataset.id = run.dataset_id
      WHERE dataset.project_id = ${project(scope)} AND ${within(sql`run.created_at`, scope)} ORDER BY run.created_at, run.id`,
  ),
  monthly_events: rows(
    'month',
    'Events that the organization sent in each calendar month (UTC) that the range touches. Does not show events that never reached the service.',
    (scope) => sql`SELECT to_char(month, 'YYYY-MM') AS month, events FROM usage_months
      WHERE organization_id = ${scope.organizationId}::uuid AND events > 0 AND month <= (${end(scope)} AT TIME ZONE 'UTC')::date
        AND month >= date_trunc('month', ${start(scope)} AT TIME ZONE 'UTC')::date ORDER BY month`,
  ),
  backups: rows(
    'finishedAt, id',
    'Backups of the installation that were copied to their end by spanwise backup. Does not show backups by other tools, nor that one was restored.',
    (scope) => sql`SELECT id, finished_at AS "finishedAt", stores FROM backup_runs
      WHERE ${within(sql`finished_at`, scope)} ORDER BY finished_at, id`,
  ),
  lifecycle_findings: rows(
    'raisedAt, id',
    'Called models whose retirement is near, as of the last scan, that were raised until the end of the range. Knows the dates of the catalogue only.',
    (scope) => sql`SELECT id, model, provider, retires_on AS "retiresOn", replacement, state, raised_at AS "raisedAt",
        dismissed_at AS "dismissedAt", dismissed_by AS "dismissedBy"
      FROM lifecycle_findings WHERE project_id = ${project(scope)} AND present AND raised_at <= ${end(scope)} ORDER BY raised_at, id`,
  ),
} as const satisfies Record<string, RowSource>;
