/** Slugs of the organization and project of a page. */
export interface ProjectPath {
  org: string;
  project: string;
}

/** Sections of the settings. */
export const settingsSections = [
  'keys',
  'clients',
  'members',
  'tokens',
  'connections',
  'prices',
  'organization',
  'policies',
  'audit',
] as const;
export type SettingsSection = (typeof settingsSections)[number];

const projectRoot = '/o/$org/p/$project';

/** Link properties of every page. */
export const pages = {
  home: () => ({ to: '/' }) as const,
  signIn: () => ({ to: '/sign-in' }) as const,
  invitation: (token: string) => ({ to: '/invite/$token', params: { token } }) as const,
  resetPassword: (token: string) => ({ to: '/reset/$token', params: { token } }) as const,
  overview: (at: ProjectPath) => ({ to: projectRoot, params: { ...at } }) as const,
  mappingInspector: (at: ProjectPath) => ({ to: `${projectRoot}/mapping`, params: { ...at } }) as const,
  start: (at: ProjectPath) => ({ to: `${projectRoot}/start`, params: { ...at } }) as const,
  /** The list of traces, where search parameters name what it is narrowed to. */
  traces: (at: ProjectPath) => ({ to: `${projectRoot}/explore`, params: { ...at } }) as const,
  trace: (at: ProjectPath, traceId: string) => ({ to: `${projectRoot}/traces/$traceId`, params: { ...at, traceId } }) as const,
  /** Two traces side by side. Not below the traces, where it would be one of that id. */
  traceComparison: (at: ProjectPath, a: string, b: string) =>
    ({ to: `${projectRoot}/trace-comparison`, params: { ...at }, search: { a, b } }) as const,
  sessions: (at: ProjectPath) => ({ to: `${projectRoot}/explore`, params: { ...at }, search: { on: 'sessions' } }) as const,
  session: (at: ProjectPath, sessionId: string) =>
    ({ to: `${projectRoot}/sessions/$sessionId`, params: { ...at, sessionId } }) as const,
  users: (at: ProjectPath) => ({ to: `${projectRoot}/users`, params: { ...at } }) as const,
  user: (at: ProjectPath, userId: string) => ({ to: `${projectRoot}/users/$userId`, params: { ...at, userId } }) as const,
  models: (at: ProjectPath) => ({ to: `${projectRoot}/models`, params: { ...at } }) as const,
  model: (at: ProjectPath, model: string) => ({ to: `${projectRoot}/models/$model`, params: { ...at, model } }) as const,
  datasets: (at: ProjectPath) => ({ to: `${projectRoot}/datasets`, params: { ...at } }) as const,
  dataset: (at: ProjectPath, datasetId: string) =>
    ({ to: `${projectRoot}/datasets/$datasetId`, params: { ...at, datasetId } }) as const,
  datasetRun: (at: ProjectPath, datasetId: string, runId: string) =>
    ({ to: `${projectRoot}/datasets/$datasetId/runs/$runId`, params: { ...at, datasetId, runId } }) as const,
  evaluators: (at: ProjectPath) => ({ to: `${projectRoot}/evaluators`, params: { ...at } }) as const,
  newEvaluator: (at: ProjectPath) => ({ to: `${projectRoot}/evaluators/new`, params: { ...at } }) as const,
  evaluator: (at: ProjectPath, evaluatorId: string) =>
    ({ to: `${projectRoot}/evaluators/$evaluatorId`, params: { ...at, evaluatorId } }) as const,
  evaluations: (at: ProjectPath) => ({ to: `${projectRoot}/evaluations`, params: { ...at } }) as const,
  annotation: (at: ProjectPath) => ({ to: `${projectRoot}/annotation`, params: { ...at } }) as const,
  prompts: (at: ProjectPath) => ({ to: `${projectRoot}/prompts`, params: { ...at } }) as const,
  prompt: (at: ProjectPath, name: string) => ({ to: `${projectRoot}/prompts/$name`, params: { ...at, name } }) as const,
  newVersion: (at: ProjectPath, name: string) =>
    ({ to: `${projectRoot}/prompts/$name/new-version`, params: { ...at, name } }) as const,
  // Not below the prompts, where it would be one of that name.
  newPrompt: (at: ProjectPath) => ({ to: `${projectRoot}/new-prompt`, params: { ...at } }) as const,
  guardrails: (at: ProjectPath) => ({ to: `${projectRoot}/guardrails`, params: { ...at } }) as const,
  guardrail: (at: ProjectPath, slug: string) => ({ to: `${projectRoot}/guardrails/$slug`, params: { ...at, slug } }) as const,
  // Not below the guardrails, where it would be one of that slug.
  newGuardrail: (at: ProjectPath) => ({ to: `${projectRoot}/new-guardrail`, params: { ...at } }) as const,
  environments: (at: ProjectPath) => ({ to: `${projectRoot}/environments`, params: { ...at } }) as const,
  alerts: (at: ProjectPath) => ({ to: `${projectRoot}/alerts`, params: { ...at } }) as const,
  newAlert: (at: ProjectPath) => ({ to: `${projectRoot}/alerts/new`, params: { ...at } }) as const,
  alert: (at: ProjectPath, alertId: string) => ({ to: `${projectRoot}/alerts/$alertId`, params: { ...at, alertId } }) as const,
  incidents: (at: ProjectPath) => ({ to: `${projectRoot}/incidents`, params: { ...at } }) as const,
  incident: (at: ProjectPath, incidentId: string) =>
    ({ to: `${projectRoot}/incidents/$incidentId`, params: { ...at, incidentId } }) as const,
  modelLifecycle: (at: ProjectPath) => ({ to: `${projectRoot}/model-lifecycle`, params: { ...at } }) as const,
  outcomes: (at: ProjectPath) => ({ to: `${projectRoot}/outcomes`, params: { ...at } }) as const,
  changes: (at: ProjectPath) => ({ to: `${projectRoot}/changes`, params: { ...at } }) as const,
  change: (at: ProjectPath, changeId: string) =>
    ({ to: `${projectRoot}/changes/$changeId`, params: { ...at, changeId } }) as const,
  compliance: (at: ProjectPath) => ({ to: `${projectRoot}/compliance`, params: { ...at } }) as const,
  evidencePack: (at: ProjectPath, packId: string) =>
    ({ to: `${projectRoot}/compliance/$packId`, params: { ...at, packId } }) as const,
  simulations: (at: ProjectPath) => ({ to: `${projectRoot}/simulations`, params: { ...at } }) as const,
  newScenario: (at: ProjectPath) => ({ to: `${projectRoot}/simulations/new`, params: { ...at } }) as const,
  scenario: (at: ProjectPath, scenarioId: string) =>
    ({ to: `${projectRoot}/simulations/scenarios/$scenarioId`, params: { ...at, scenarioId } }) as const,
  batchRun: (at: ProjectPath, batchRunId: string) =>
    ({ to: `${projectRoot}/simulations/runs/$batchRunId`, params: { ...at, batchRunId } }) as const,
  graph: (at: ProjectPath) => ({ to: `${projectRoot}/graph`, params: { ...at } }) as const,
  policies: (at: ProjectPath) => ({ to: `${projectRoot}/policies`, params: { ...at } }) as const,
  settings: (at: ProjectPath, section: SettingsSection) =>
    ({ to: `${projectRoot}/settings/$section`, params: { ...at, section } }) as const,
};
