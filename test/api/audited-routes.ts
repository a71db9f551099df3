/** How the audit log tells of a route that changes something. */
export type AuditOfRoute =
  /** Kinds that the call of `every-route.test.ts` records. */
  | readonly string[]
  /** The call there is refused or changes nothing; this test proves the kinds. */
  | { kinds: readonly string[]; provedBy: string }
  /** It is not recorded: a row of docs/semantics.md, "Acts that are not recorded". */
  | { not: string };

const telemetry = { not: 'telemetry' };
const reading = { not: 'checks and previews' };
const additions = { not: 'additions' };
const ordering = { not: 'order and description' };
const runs = { not: 'batch runs' };
const comments = { not: 'comments' };
const messages = { not: 'messages of rules' };
const invitationTests = 'src/features/identity/invitations/invitations.test.ts';

/** Every route that is not a GET, but for the ingestion of other signals. Whatever removes, weakens or reveals is recorded. */
export const auditOfRoutes: Readonly<Record<string, AuditOfRoute>> = {
  'POST /v1/auth/login': {
    kinds: ['auth.login', 'auth.login_failed'],
    provedBy: 'src/features/identity/audit-entries.test.ts',
  },
  'POST /v1/auth/logout': { not: 'own sessions' },
  'POST /v1/auth/forgot': { not: 'links of lost passwords' },
  'POST /v1/auth/reset': {
    kinds: ['user.password_reset'],
    provedBy: 'src/features/identity/passwords/lost-passwords.test.ts',
  },
  'POST /v1/invitations/look-up': reading,
  'POST /v1/invitations/accept': { kinds: ['invitation.accepted', 'member.added'], provedBy: invitationTests },
  'POST /v1/me/password': ['user.password_changed'],
  'POST /v1/me/tokens': ['token.created'],
  'DELETE /v1/me/tokens/{tokenId}': ['token.revoked'],
  'POST /v1/organizations': ['member.added'],
  'PATCH /v1/organizations/{orgId}': { kinds: ['organization.shared_links_changed'], provedBy: 'test/api/shares.test.ts' },
  'POST /v1/organizations/{orgId}/projects': ['project.created'],
  'POST /v1/organizations/{orgId}/members': ['invitation.created'],
  'POST /v1/organizations/{orgId}/invitations': ['invitation.created'],
  'DELETE /v1/organizations/{orgId}/invitations/{invitationId}': ['invitation.deleted'],
  'POST /v1/organizations/{orgId}/members/{userId}/revoke': ['member.revoked'],
  'PATCH /v1/organizations/{orgId}/members/{userId}': ['member.role_changed'],
  'DELETE /v1/organizations/{orgId}/members/{userId}': ['member.removed'],
  'POST /v1/projects/{id}/api-keys': ['api_key.created'],
  'POST /v1/projects/{id}/api-keys/{keyId}/rotate': ['api_key.rotated'],
  'DELETE /v1/projects/{id}/api-keys/{keyId}': ['api_key.revoked'],
  'POST /v1/projects/{id}/changes': additions,
  'POST /v1/projects/{id}/alerts': ['alert.created'],
  'POST /v1/projects/{id}/alerts/preview': reading,
  'PATCH /v1/projects/{id}/alerts/{alertId}': ['alert.updated'],
  'DELETE /v1/projects/{id}/alerts/{alertId}': ['alert.deleted'],
  'POST /v1/projects/{id}/alerts/{alertId}/test': messages,
  'POST /v1/projects/{id}/alerts/{alertId}/deliveries/{deliveryId}/redeliver': messages,
  'PATCH /v1/projects/{id}/incidents/{incidentId}': ['incident.acknowledged'],
  'POST /v1/projects/{id}/incidents/{incidentId}/fix-proposals': ['fix_proposal.started'],
  'POST /v1/projects/{id}/simulations/scenarios': ['simulation_scenario.created'],
  'PATCH /v1/projects/{id}/simulations/scenarios/{scenarioId}': ['simulation_scenario.updated'],
  'DELETE /v1/projects/{id}/simulations/scenarios/{scenarioId}': ['simulation_scenario.deleted'],
  'POST /v1/projects/{id}/simulations/batch-runs': runs,
  'POST /v1/projects/{id}/simulations/batch-runs/{batchRunId}/cancel': runs,
  'POST /v1/projects/{id}/simulations/try': reading,
  'POST /v1/projects/{id}/simulations/batch-runs/{batchRunId}/gate': {
    kinds: ['simulation.gate'],
    provedBy: 'src/features/simulations/gate.test.ts',
  },
  'POST /projects/{id}/simulations/batch-runs/{batchRunId}/gate': {
    kinds: ['simulation.gate'],
    provedBy: 'src/features/simulations/gate.test.ts',
  },
  'POST /v1/projects/{id}/model-lifecycle/scan': reading,
  'PUT /v1/projects/{id}/model-lifecycle/catalogue/{model}': ['lifecycle.override_set'],
  'DELETE /v1/projects/{id}/model-lifecycle/catalogue/{model}': ['lifecycle.override_removed'],
  'POST /v1/projects/{id}/model-lifecycle/findings/{findingId}/dismiss': ['lifecycle.dismissed'],
  'PUT /v1/projects/{id}/prices/{model}': ['price.set'],
  'DELETE /v1/projects/{id}/prices/{model}': ['price.deleted'],
  'POST /v1/projects/{id}/prices/reprice': {
    kinds: ['repricing.started', 'repricing.ended'],
    provedBy: 'src/features/prices/repricing/repricing.test.ts',
  },
  'DELETE /v1/projects/{id}/users/{userId}': {
    kinds: ['traces.deleted', 'user_data.deleted'],
    provedBy: 'test/api/user-data.test.ts',
  },
  'POST /v1/projects/{id}/selections': {
    kinds: ['selection.started', 'traces.deleted'],
    provedBy: 'test/api/selections.test.ts',
  },
  'POST /v1/projects/{id}/jobs/{jobId}/cancel': { not: 'jobs' },
  'POST /v1/projects/{id}/mapping/preview': reading,
  'POST /v1/projects/{id}/filter-suggestions': reading,
  'POST /v1/projects/{id}/query': reading,
  'POST /v1/projects/{id}/views': ['view.created'],
  'PATCH /v1/projects/{id}/views/{viewId}': ['view.changed'],
  'DELETE /v1/projects/{id}/views/{viewId}': ['view.deleted'],
  'POST /v1/projects/{id}/evidence-packs': ['evidence_pack.generated'],
  'POST /v1/projects/{id}/evidence-packs/verify': reading,
  'POST /v1/ingest': telemetry,
  'POST /v1/ingest/outcomes': telemetry,
  'POST /v1/traces': telemetry,
  'POST /mcp': additions,
  'POST /v1/projects/{id}/model-connections': ['model_connection.created'],
  'PATCH /v1/projects/{id}/model-connections/{connectionId}': ['model_connection.updated'],
  'DELETE /v1/projects/{id}/model-connections/{connectionId}': ['model_connection.deleted'],
  'POST /v1/projects/{id}/evaluators': ['evaluator.created'],
  'PATCH /v1/projects/{id}/evaluators/{evaluatorId}': ['evaluator.updated'],
  'DELETE /v1/projects/{id}/evaluators/{evaluatorId}': ['evaluator.deleted'],
  'POST /v1/projects/{id}/policies/{policyId}/detach': {
    kinds: ['policy.detached'],
    provedBy: 'test/api/policy-records.test.ts',
  },
  'POST /v1/projects/{id}/policies/{policyId}/attach': {
    kinds: ['policy.attached'],
    provedBy: 'test/api/policy-records.test.ts',
  },
  'POST /v1/projects/{id}/policies/apply': { kinds: ['policy.applied'], provedBy: 'test/api/policy-apply.test.ts' },
  'POST /v1/projects/{id}/policies/validate': reading,
  'POST /v1/projects/{id}/policies/plan': reading,
  'POST /v1/projects/{id}/environments': ['environment.created'],
  'PATCH /v1/projects/{id}/environments/{environmentId}': ['environment.updated'],
  'DELETE /v1/projects/{id}/environments/{environmentId}': ['environment.deleted'],
  'POST /v1/guardrails/check': reading,
  'POST /v1/guardrails/report': telemetry,
  'POST /v1/projects/{id}/guardrails': ['guardrail.created'],
  'PATCH /v1/projects/{id}/guardrails/{guardrailId}': ['guardrail.updated'],
  'DELETE /v1/projects/{id}/guardrails/{guardrailId}': ['guardrail.deleted'],
  'PATCH /v1/projects/{id}/scores/{scoreId}': ['score.changed'],
  'DELETE /v1/projects/{id}/scores/{scoreId}': ['score.deleted'],
  'POST /v1/projects/{id}/scores': additions,
  'POST /v1/projects/{id}/comments': comments,
  'PATCH /v1/projects/{id}/comments/{commentId}': comments,
  'DELETE /v1/projects/{id}/comments/{commentId}': ['comment.deleted'],
  'POST /v1/me/mentions/read': comments,
  'POST /v1/prompts': additions,
  'DELETE /v1/prompts/{name}/labels/{label}': ['prompt.labels_moved'],
  'PATCH /v1/prompts/{name}/labels': ['prompt.labels_moved'],
  'PATCH /v1/prompts/{name}/tags': ordering,
  'PATCH /v1/prompts/{name}/folder': ordering,
  'DELETE /v1/prompts/{name}': ['prompt.deleted'],
  'POST /v1/datasets': additions,
  'PATCH /v1/datasets/{datasetId}': ordering,
  'DELETE /v1/datasets/{datasetId}': ['dataset.deleted'],
  'POST /v1/datasets/{datasetId}/items': additions,
  'PATCH /v1/datasets/{datasetId}/items/{itemId}': ['dataset.item_changed'],
  'DELETE /v1/datasets/{datasetId}/items/{itemId}': ['dataset.item_deleted'],
  'POST /v1/datasets/{datasetId}/import': additions,
  'POST /v1/datasets/{datasetId}/runs': additions,
  'POST /v1/datasets/{datasetId}/runs/{runId}/items': additions,
  'DELETE /v1/datasets/{datasetId}/runs/{runId}': ['dataset.run_deleted'],
  'POST /v1/projects/{id}/traces/{traceId}/shares': ['share.created'],
  'DELETE /v1/projects/{id}/shares/{shareId}': ['share.deleted'],
  'DELETE /v1/projects/{id}/traces/{traceId}': ['trace.deleted'],
  'DELETE /v1/projects/{id}/traces': { kinds: ['trace.deleted'], provedBy: 'test/api/trace-deletion.test.ts' },
};
