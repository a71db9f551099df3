import { createRoute } from '@tanstack/react-router';
import {
  Bell,
  ClipboardCheck,
  FileCode2,
  FlaskConical,
  GitCommitHorizontal,
  Hourglass,
  Layers,
  ShieldCheck,
  Siren,
  Waypoints,
} from 'lucide-react';
import { IncidentBadge } from './frame/incident-badge.tsx';
import { pageData } from './page-data.ts';
import { readAlertSearch } from './pages/alerts/search.ts';
import { readIncidentsSearch } from './pages/incidents/search.ts';
import { readGraphSearch } from './pages/graph/search.ts';
import { readChangeSearch, readChangesSearch } from './pages/changes/search.ts';
import { readLifecycleSearch } from './pages/model-lifecycle/search.ts';
import { readBatchRunSearch, readSimulationsSearch } from './pages/simulations/search.ts';
import { readPoliciesSearch } from './pages/policies/search.ts';
import { readGuardrailSearch } from './pages/guardrails/search.ts';
import { pageOf } from './page-of.ts';
import { projectRoute } from './root-routes.tsx';
import { readExactly } from './search-text.ts';

const alertsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/alerts',
  staticData: { navigation: { title: 'Alerts', icon: Bell, key: 'b' } },
  loader: pageData.alerts,
  component: pageOf(() => import('./pages/alerts/alerts-page.tsx')),
});
const newAlertRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/alerts/new',
  component: pageOf(() => import('./pages/alerts/new-alert-page.tsx')),
});
const alertRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/alerts/$alertId',
  validateSearch: readExactly(readAlertSearch),
  loader: pageData.alert,
  component: pageOf(() => import('./pages/alerts/alert-page.tsx')),
});
const incidentsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/incidents',
  staticData: { navigation: { title: 'Incidents', icon: Siren, key: 'i', badge: IncidentBadge } },
  validateSearch: readExactly(readIncidentsSearch),
  loaderDeps: ({ search }) => search,
  loader: pageData.incidents,
  component: pageOf(() => import('./pages/incidents/incidents-page.tsx')),
});
const incidentRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/incidents/$incidentId',
  loader: pageData.incident,
  component: pageOf(() => import('./pages/incidents/incident-page.tsx')),
});
const modelLifecycleRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/model-lifecycle',
  staticData: { navigation: { title: 'Model lifecycle', icon: Hourglass, key: 'l' } },
  validateSearch: readExactly(readLifecycleSearch),
  loaderDeps: ({ search }) => search,
  loader: pageData.modelLifecycle,
  component: pageOf(() => import('./pages/model-lifecycle/lifecycle-page.tsx')),
});
const graphRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/graph',
  staticData: { navigation: { title: 'Graph', icon: Waypoints, key: 'n' } },
  validateSearch: readExactly(readGraphSearch),
  loaderDeps: ({ search }) => search,
  loader: pageData.graph,
  component: pageOf(() => import('./pages/graph/graph-page.tsx')),
});
const changesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/changes',
  staticData: { navigation: { title: 'Changes', icon: GitCommitHorizontal, key: 'c' } },
  validateSearch: readExactly(readChangesSearch),
  loaderDeps: ({ search }) => search,
  loader: pageData.changes,
  component: pageOf(() => import('./pages/changes/changes-page.tsx')),
});
const changeRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/changes/$changeId',
  validateSearch: readExactly(readChangeSearch),
  loaderDeps: ({ search }) => search,
  loader: pageData.change,
  component: pageOf(() => import('./pages/changes/change-page.tsx')),
});
const simulationsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/simulations',
  staticData: { navigation: { title: 'Simulations', icon: FlaskConical, key: 'x' } },
  validateSearch: readExactly(readSimulationsSearch),
  loaderDeps: ({ search }) => search,
  loader: pageData.simulations,
  component: pageOf(() => import('./pages/simulations/simulations-page.tsx')),
});
const newScenarioRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/simulations/new',
  component: pageOf(() => import('./pages/simulations/new-scenario-page.tsx')),
});
const scenarioRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/simulations/scenarios/$scenarioId',
  loader: pageData.scenario,
  component: pageOf(() => import('./pages/simulations/scenario-page.tsx')),
});
const batchRunRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/simulations/runs/$batchRunId',
  validateSearch: readExactly(readBatchRunSearch),
  loaderDeps: ({ search }) => search,
  loader: pageData.batchRun,
  component: pageOf(() => import('./pages/simulations/batch-run-page.tsx')),
});
const policiesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/policies',
  staticData: { navigation: { title: 'Policies', icon: FileCode2, key: 'y' } },
  validateSearch: readExactly(readPoliciesSearch),
  loaderDeps: ({ search }) => search,
  loader: pageData.policies,
  component: pageOf(() => import('./pages/policies/policies-page.tsx')),
});
const guardrailsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/guardrails',
  staticData: { navigation: { title: 'Guardrails', icon: ShieldCheck, key: 'u' } },
  loader: pageData.guardrails,
  component: pageOf(() => import('./pages/guardrails/guardrails-page.tsx')),
});
const guardrailRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/guardrails/$slug',
  validateSearch: readExactly(readGuardrailSearch),
  loaderDeps: ({ search }) => search,
  loader: pageData.guardrail,
  component: pageOf(() => import('./pages/guardrails/guardrail-page.tsx')),
});
const newGuardrailRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/new-guardrail',
  component: pageOf(() => import('./pages/guardrails/new-guardrail-page.tsx')),
});
const environmentsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/environments',
  staticData: { navigation: { title: 'Environments', icon: Layers, key: 'v' } },
  loader: pageData.environments,
  component: pageOf(() => import('./pages/environments/environments-page.tsx')),
});
const complianceRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/compliance',
  staticData: { navigation: { title: 'Compliance', icon: ClipboardCheck, key: 'k' } },
  loader: pageData.compliance,
  component: pageOf(() => import('./pages/compliance/compliance-page.tsx')),
});
const evidencePackRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/compliance/$packId',
  loader: pageData.evidencePack,
  component: pageOf(() => import('./pages/compliance/pack-page.tsx')),
});

/** The routes of operations and governance, in the order of the sidebar. */
export const operationsRoutes = [
  alertsRoute,
  newAlertRoute,
  alertRoute,
  incidentsRoute,
  incidentRoute,
  modelLifecycleRoute,
  graphRoute,
  changesRoute,
  changeRoute,
  simulationsRoute,
  newScenarioRoute,
  scenarioRoute,
  batchRunRoute,
  guardrailsRoute,
  guardrailRoute,
  newGuardrailRoute,
  environmentsRoute,
  policiesRoute,
  complianceRoute,
  evidencePackRoute,
] as const;
