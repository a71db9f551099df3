import type { QueryClient } from '@tanstack/react-query';
import { alertQuery, alertsQuery } from './api/alerts.ts';
import { changeQuery, changesQuery, impactQuery } from './api/changes.ts';
import { datasetItemsQuery, datasetQuery, datasetsQuery } from './api/datasets.ts';
import { datasetRunQuery, datasetRunsQuery } from './api/dataset-runs.ts';
import { blastRadiusQuery, graphQuery } from './api/graph.ts';
import { evaluationsQuery, evaluatorQuery, evaluatorsQuery } from './api/evaluators.ts';
import { environmentsQuery } from './api/environments.ts';
import { guardrailActivityQuery, guardrailsQuery } from './api/guardrails.ts';
import { fixProposalsQuery, incidentQuery, incidentsQuery } from './api/incidents.ts';
import { packQuery, packsQuery } from './api/evidence-packs.ts';
import { catalogueQuery, findingsQuery } from './api/model-lifecycle.ts';
import { modelQuery, modelsQuery, overviewQuery } from './api/models.ts';
import { outcomeKindsQuery, outcomeSummaryQuery } from './api/outcomes.ts';
import { policiesQuery, policyRevisionsQuery } from './api/policies.ts';
import { promptFoldersQuery, promptMetricsQuery, promptsQuery, promptVersionsQuery } from './api/prompts.ts';
import { sessionKey } from './api/session.ts';
import {
  batchDistributionsQuery,
  batchItemsQuery,
  batchRunQuery,
  batchRunsQuery,
  scenarioQuery,
  scenariosQuery,
} from './api/simulations.ts';
import { sessionDetailQuery, sessionsQuery, traceOutlineQuery, tracesQuery } from './api/traces.ts';
import type { CurrentSession } from './api/wire.ts';
import { scopeOf } from './frame/project-context.ts';
import { changesRequest, impactRequest } from './pages/changes/search.ts';
import type { ChangeSearch, ChangesSearch } from './pages/changes/search.ts';
import type { DatasetSearch } from './pages/datasets/search.ts';
import { evaluationsRequest } from './pages/evaluators/evaluations-search.ts';
import type { EvaluationsSearch } from './pages/evaluators/evaluations-search.ts';
import { graphRequest } from './pages/graph/search.ts';
import type { GraphSearch } from './pages/graph/search.ts';
import type { GuardrailSearch } from './pages/guardrails/search.ts';
import { incidentsRequest } from './pages/incidents/search.ts';
import type { IncidentsSearch } from './pages/incidents/search.ts';
import type { LifecycleSearch } from './pages/model-lifecycle/search.ts';
import type { OutcomesSearch } from './pages/outcomes/search.ts';
import type { PoliciesSearch } from './pages/policies/search.ts';
import type { PromptSearch } from './pages/prompt/search.ts';
import type { PromptsSearch } from './pages/prompts/search.ts';
import { sessionsRequest } from './pages/sessions/search.ts';
import type { SessionsSearch } from './pages/sessions/search.ts';
import type { BatchRunSearch, SimulationsSearch } from './pages/simulations/search.ts';
import { tracesRequest } from './pages/traces/search.ts';
import type { TracesSearch } from './pages/traces/search.ts';
import type { ProjectPath } from './paths.ts';
import { rangeRequest, timelineRequest } from './range.ts';
import type { RangeSearch } from './range.ts';

/** Heavy data is not prefetched when the viewer only points at a link. */
type Weight = 'light' | 'heavy';
type Read<Search> = (client: QueryClient, projectId: string, search: Search) => Array<Promise<void>>;

/**
 * Prefetches the data of a page while its code loads, or when the viewer points at a link to it. Errors are handled by the page, which
 * sends the same request.
 */
function prefetch<At extends ProjectPath, Search = unknown>(weight: Weight, read: (at: At) => Read<Search>) {
  return ({ context: { client }, params, deps, preload }: Loading<At, Search>): void => {
    const session = client.getQueryData<CurrentSession>(sessionKey);
    const scope = session ? scopeOf(session, params) : null;
    if (scope === null || (preload && weight === 'heavy')) return;
    // Prefetching never rejects.
    void Promise.all(read(params)(client, scope.projectId, deps));
  };
}

/** Arguments of a route loader. */
interface Loading<At, Search> {
  context: { client: QueryClient };
  params: At;
  deps: Search;
  /** The viewer points at a link and has not followed it. */
  preload: boolean;
}

/** Route loaders that prefetch each page's data. Pages without a loader need little data. */
export const pageData = {
  overview: prefetch('light', () => (client, projectId, search: RangeSearch) => [
    client.prefetchQuery(overviewQuery(projectId, timelineRequest(search, Date.now()))),
    client.prefetchInfiniteQuery(changesQuery(projectId, rangeRequest(search, Date.now()))),
  ]),
  traces: prefetch('light', () => (client, projectId, search: TracesSearch) => [
    client.prefetchInfiniteQuery(tracesQuery(projectId, tracesRequest(search, Date.now()), search.live === '1')),
  ]),
  trace: prefetch('heavy', ({ traceId }: ProjectPath & { traceId: string }) => (client, projectId) => [
    client.prefetchQuery(traceOutlineQuery(projectId, traceId)),
  ]),
  sessions: prefetch('light', () => (client, projectId, search: SessionsSearch) => [
    client.prefetchInfiniteQuery(sessionsQuery(projectId, sessionsRequest(search, Date.now()))),
  ]),
  session: prefetch('heavy', ({ sessionId }: ProjectPath & { sessionId: string }) => (client, projectId) => [
    client.prefetchQuery(sessionDetailQuery(projectId, sessionId)),
  ]),
  models: prefetch('light', () => (client, projectId, search: RangeSearch) => [
    client.prefetchQuery(modelsQuery(projectId, rangeRequest(search, Date.now()))),
    client.prefetchQuery(findingsQuery(projectId)),
  ]),
  model: prefetch('light', ({ model }: ProjectPath & { model: string }) => (client, projectId, search: RangeSearch) => [
    client.prefetchQuery(modelQuery(projectId, model, timelineRequest(search, Date.now()))),
    client.prefetchQuery(outcomeSummaryQuery(projectId, rangeRequest(search, Date.now()))),
    client.prefetchInfiniteQuery(changesQuery(projectId, rangeRequest(search, Date.now()))),
    client.prefetchQuery(findingsQuery(projectId)),
  ]),
  outcomes: prefetch('light', () => (client, projectId, search: OutcomesSearch) => [
    client.prefetchQuery(outcomeSummaryQuery(projectId, rangeRequest(search, Date.now()), search.kind)),
    client.prefetchQuery(outcomeKindsQuery(projectId, rangeRequest(search, Date.now()))),
    client.prefetchInfiniteQuery(changesQuery(projectId, rangeRequest(search, Date.now()))),
  ]),
  datasets: prefetch('light', () => (client, projectId) => [client.prefetchInfiniteQuery(datasetsQuery(projectId))]),
  dataset: prefetch(
    'heavy',
    ({ datasetId }: ProjectPath & { datasetId: string }) =>
      (client, projectId, { tab }: DatasetSearch) => [
        client.prefetchQuery(datasetQuery(projectId, datasetId)),
        tab === undefined || tab === 'items'
          ? client.prefetchInfiniteQuery(datasetItemsQuery(projectId, datasetId))
          : client.prefetchInfiniteQuery(datasetRunsQuery(projectId, datasetId)),
      ],
  ),
  datasetRun: prefetch(
    'heavy',
    ({ datasetId, runId }: ProjectPath & { datasetId: string; runId: string }) =>
      (client, projectId) => [
        client.prefetchQuery(datasetQuery(projectId, datasetId)),
        client.prefetchInfiniteQuery(datasetRunQuery(projectId, datasetId, runId)),
      ],
  ),
  prompts: prefetch('light', () => (client, projectId, { folder, tag, q }: PromptsSearch) => [
    client.prefetchInfiniteQuery(promptsQuery(projectId, { folder, tag, q })),
    client.prefetchQuery(promptFoldersQuery(projectId)),
  ]),
  prompt: prefetch('light', ({ name }: ProjectPath & { name: string }) => (client, projectId, search: PromptSearch) => [
    client.prefetchInfiniteQuery(promptVersionsQuery(projectId, name)),
    ...(search.view === 'metrics'
      ? [client.prefetchQuery(promptMetricsQuery(projectId, name, rangeRequest(search, Date.now())))]
      : []),
  ]),
  evaluators: prefetch('light', () => (client, projectId) => [client.prefetchQuery(evaluatorsQuery(projectId))]),
  evaluator: prefetch('light', ({ evaluatorId }: ProjectPath & { evaluatorId: string }) => (client, projectId) => [
    client.prefetchQuery(evaluatorQuery(projectId, evaluatorId)),
  ]),
  evaluations: prefetch('light', () => (client, projectId, search: EvaluationsSearch) => [
    client.prefetchInfiniteQuery(evaluationsQuery(projectId, evaluationsRequest(search))),
  ]),
  alerts: prefetch('light', () => (client, projectId) => [client.prefetchQuery(alertsQuery(projectId))]),
  alert: prefetch('light', ({ alertId }: ProjectPath & { alertId: string }) => (client, projectId) => [
    client.prefetchQuery(alertQuery(projectId, alertId)),
  ]),
  incidents: prefetch('light', () => (client, projectId, search: IncidentsSearch) => [
    client.prefetchInfiniteQuery(incidentsQuery(projectId, incidentsRequest(search, Date.now()))),
    client.prefetchQuery(alertsQuery(projectId)),
    client.prefetchInfiniteQuery(environmentsQuery(projectId)),
  ]),
  incident: prefetch('heavy', ({ incidentId }: ProjectPath & { incidentId: string }) => (client, projectId) => [
    client.prefetchQuery(incidentQuery(projectId, incidentId)),
    client.prefetchQuery(alertsQuery(projectId)),
    client.prefetchQuery(fixProposalsQuery(projectId, incidentId)),
  ]),
  modelLifecycle: prefetch('light', () => (client, projectId, { view }: LifecycleSearch) => [
    client.prefetchQuery(findingsQuery(projectId)),
    view === 'catalogue'
      ? client.prefetchQuery(catalogueQuery(projectId))
      : client.prefetchQuery(modelsQuery(projectId, { range: '30d' })),
  ]),
  graph: prefetch('light', () => (client, projectId, search: GraphSearch) => [
    client.prefetchQuery(graphQuery(projectId, graphRequest(search, Date.now()))),
    ...(search.node === undefined
      ? []
      : [client.prefetchQuery(blastRadiusQuery(projectId, search.node, graphRequest(search, Date.now())))]),
  ]),
  changes: prefetch('light', () => (client, projectId, search: ChangesSearch) => [
    client.prefetchInfiniteQuery(changesQuery(projectId, changesRequest(search, Date.now()))),
  ]),
  change: prefetch('heavy', ({ changeId }: ProjectPath & { changeId: string }) => (client, projectId, search: ChangeSearch) => [
    client.prefetchQuery(changeQuery(projectId, changeId)),
    client.prefetchQuery(impactQuery(projectId, changeId, impactRequest(search))),
  ]),
  compliance: prefetch('light', () => (client, projectId) => [client.prefetchInfiniteQuery(packsQuery(projectId))]),
  evidencePack: prefetch('heavy', ({ packId }: ProjectPath & { packId: string }) => (client, projectId) => [
    client.prefetchQuery(packQuery(projectId, packId)),
  ]),
  simulations: prefetch('light', () => (client, projectId, { tab, scenario: scenarioId, status, q }: SimulationsSearch) => [
    client.prefetchInfiniteQuery(scenariosQuery(projectId)),
    tab === undefined
      ? client.prefetchInfiniteQuery(datasetsQuery(projectId))
      : client.prefetchInfiniteQuery(batchRunsQuery(projectId, { scenarioId, status, q })),
  ]),
  scenario: prefetch('light', ({ scenarioId }: ProjectPath & { scenarioId: string }) => (client, projectId) => [
    client.prefetchQuery(scenarioQuery(projectId, scenarioId)),
  ]),
  batchRun: prefetch(
    'light',
    ({ batchRunId }: ProjectPath & { batchRunId: string }) =>
      (client, projectId, { status, baseline, change }: BatchRunSearch) => [
        client.prefetchQuery(batchRunQuery(projectId, batchRunId)),
        client.prefetchInfiniteQuery(batchItemsQuery(projectId, batchRunId, { status, baseline, change })),
        client.prefetchQuery(batchDistributionsQuery(projectId, batchRunId, baseline)),
      ],
  ),
  policies: prefetch('light', () => (client, projectId, { view }: PoliciesSearch) => [
    client.prefetchQuery(policiesQuery(projectId)),
    ...(view === 'revisions' ? [client.prefetchInfiniteQuery(policyRevisionsQuery(projectId))] : []),
  ]),
  guardrails: prefetch('light', () => (client, projectId) => [
    client.prefetchQuery(guardrailsQuery(projectId)),
    client.prefetchQuery(guardrailActivityQuery(projectId, { range: '7d' }, { by: 'day' })),
  ]),
  guardrail: prefetch('light', ({ slug }: ProjectPath & { slug: string }) => (client, projectId, search: GuardrailSearch) => [
    client.prefetchQuery(guardrailsQuery(projectId)),
    ...(search.part === undefined ? (['day', 'environment'] as const) : []).map((by) =>
      client.prefetchQuery(guardrailActivityQuery(projectId, rangeRequest(search, Date.now()), { by, guardrail: slug })),
    ),
  ]),
  environments: prefetch('light', () => (client, projectId) => [client.prefetchInfiniteQuery(environmentsQuery(projectId))]),
};
