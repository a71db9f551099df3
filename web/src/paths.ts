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
  overview: (at: ProjectPath) => ({ to: projectRoot, params: { ...at } }) as const,
  mappingInspector: (at: ProjectPath) => ({ to: `${projectRoot}/mapping`, params: { ...at } }) as const,
  start: (at: ProjectPath) => ({ to: `${projectRoot}/start`, params: { ...at } }) as const,
  traces: (at: ProjectPath) => ({ to: `${projectRoot}/traces`, params: { ...at } }) as const,
  trace: (at: ProjectPath, traceId: string) => ({ to: `${projectRoot}/traces/$traceId`, params: { ...at, traceId } }) as const,
  sessions: (at: ProjectPath) => ({ to: `${projectRoot}/sessions`, params: { ...at } }) as const,
  session: (at: ProjectPath, sessionId: string) =>
    ({ to: `${projectRoot}/sessions/$sessionId`, params: { ...at, sessionId } }) as const,
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

/** Query parameters; what is undefined is left out, and a list is repeated. */
export type Parameters = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

function url(segments: readonly string[], parameters: Parameters = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) for (const one of [value].flat()) query.append(name, String(one));
  }
  const text = query.toString();
  return `/v1/${segments.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}

/** Every route of the service that the dashboard calls. */
export const endpoints = {
  login: () => url(['auth', 'login']),
  openApi: () => url(['openapi.json']),
  logout: () => url(['auth', 'logout']),
  session: () => url(['auth', 'session']),
  password: () => url(['me', 'password']),
  tokens: (parameters?: Parameters) => url(['me', 'tokens'], parameters),
  token: (id: string) => url(['me', 'tokens', id]),
  organizations: () => url(['organizations']),
  organization: (id: string) => url(['organizations', id]),
  projects: (organizationId: string) => url(['organizations', organizationId, 'projects']),
  members: (organizationId: string, parameters?: Parameters) => url(['organizations', organizationId, 'members'], parameters),
  member: (organizationId: string, userId: string) => url(['organizations', organizationId, 'members', userId]),
  apiKeys: (projectId: string, parameters?: Parameters) => url(['projects', projectId, 'api-keys'], parameters),
  apiKey: (projectId: string, keyId: string) => url(['projects', projectId, 'api-keys', keyId]),
  rotateApiKey: (projectId: string, keyId: string) => url(['projects', projectId, 'api-keys', keyId, 'rotate']),
  ingestHealth: (projectId: string) => url(['projects', projectId, 'ingest-health']),
  traces: (projectId: string, parameters?: Parameters) => url(['projects', projectId, 'traces'], parameters),
  traceCounts: (projectId: string, parameters?: Parameters) => url(['projects', projectId, 'trace-counts'], parameters),
  trace: (projectId: string, traceId: string, parameters?: Parameters) =>
    url(['projects', projectId, 'traces', traceId], parameters),
  tracePayloads: (projectId: string, traceId: string) => url(['projects', projectId, 'traces', traceId, 'payloads']),
  spans: (projectId: string, traceId: string, spanId: readonly string[]) =>
    url(['projects', projectId, 'traces', traceId, 'spans'], { spanId }),
  spanMapping: (projectId: string, traceId: string, spanId: string) =>
    url(['projects', projectId, 'traces', traceId, 'spans', spanId, 'mapping']),
  previewMapping: (projectId: string) => url(['projects', projectId, 'mapping', 'preview']),
  prices: (projectId: string, parameters?: Parameters) => url(['projects', projectId, 'prices'], parameters),
  price: (projectId: string, model: string) => url(['projects', projectId, 'prices', model]),
  reprice: (projectId: string) => url(['projects', projectId, 'prices', 'reprice']),
  repricing: (projectId: string, repricingId: string) => url(['projects', projectId, 'prices', 'reprice', repricingId]),
  sessions: (projectId: string, parameters?: Parameters) => url(['projects', projectId, 'sessions'], parameters),
  sessionDetail: (projectId: string, sessionId: string) => url(['projects', projectId, 'sessions', sessionId]),
  scores: (projectId: string) => url(['projects', projectId, 'scores']),
  evaluators: (projectId: string, parameters?: Parameters) => url(['projects', projectId, 'evaluators'], parameters),
  evaluator: (projectId: string, evaluatorId: string) => url(['projects', projectId, 'evaluators', evaluatorId]),
  evaluations: (projectId: string, parameters?: Parameters) => url(['projects', projectId, 'evaluations'], parameters),
  guardrails: (projectId: string, parameters?: Parameters) => url(['projects', projectId, 'guardrails'], parameters),
  guardrail: (projectId: string, guardrailId: string) => url(['projects', projectId, 'guardrails', guardrailId]),
  guardrailActivity: (projectId: string, parameters?: Parameters) =>
    url(['projects', projectId, 'guardrails', 'activity'], parameters),
  guardrailCheck: () => url(['guardrails', 'check']),
  environments: (projectId: string, parameters?: Parameters) => url(['projects', projectId, 'environments'], parameters),
  environment: (projectId: string, environmentId: string) => url(['projects', projectId, 'environments', environmentId]),
  detachPolicy: (projectId: string, policyId: string) => url(['projects', projectId, 'policies', policyId, 'detach']),
  modelConnections: (projectId: string, parameters?: Parameters) => url(['projects', projectId, 'model-connections'], parameters),
  modelConnection: (projectId: string, connectionId: string) => url(['projects', projectId, 'model-connections', connectionId]),
  auditLog: (organizationId: string, parameters?: Parameters) => url(['organizations', organizationId, 'audit-log'], parameters),
  verifyAuditLog: (organizationId: string) => url(['organizations', organizationId, 'audit-log', 'verify']),
  models: (projectId: string, parameters?: Parameters) => url(['projects', projectId, 'models'], parameters),
  outcomes: () => url(['ingest', 'outcomes']),
  outcomeSummary: (projectId: string, parameters?: Parameters) => url(['projects', projectId, 'outcomes', 'summary'], parameters),
  outcomeKinds: (projectId: string, parameters?: Parameters) => url(['projects', projectId, 'outcomes', 'kinds'], parameters),
  overview: (projectId: string, parameters?: Parameters) => url(['projects', projectId, 'overview'], parameters),
  model: (projectId: string, model: string, parameters?: Parameters) => url(['projects', projectId, 'models', model], parameters),
  alerts: (projectId: string, parameters?: Parameters) => url(['projects', projectId, 'alerts'], parameters),
  alert: (projectId: string, alertId: string) => url(['projects', projectId, 'alerts', alertId]),
  previewAlert: (projectId: string) => url(['projects', projectId, 'alerts', 'preview']),
  testAlert: (projectId: string, alertId: string) => url(['projects', projectId, 'alerts', alertId, 'test']),
  deliveries: (projectId: string, alertId: string, parameters?: Parameters) =>
    url(['projects', projectId, 'alerts', alertId, 'deliveries'], parameters),
  redeliver: (projectId: string, alertId: string, deliveryId: string) =>
    url(['projects', projectId, 'alerts', alertId, 'deliveries', deliveryId, 'redeliver']),
  incidents: (projectId: string, parameters?: Parameters) => url(['projects', projectId, 'incidents'], parameters),
  incident: (projectId: string, incidentId: string) => url(['projects', projectId, 'incidents', incidentId]),
  fixProposals: (projectId: string, incidentId: string, parameters?: Parameters) =>
    url(['projects', projectId, 'incidents', incidentId, 'fix-proposals'], parameters),
  evidencePacks: (projectId: string, parameters?: Parameters) => url(['projects', projectId, 'evidence-packs'], parameters),
  evidencePack: (projectId: string, packId: string) => url(['projects', projectId, 'evidence-packs', packId]),
  verifyPack: (projectId: string, packId: string) => url(['projects', projectId, 'evidence-packs', packId, 'verify']),
  verifyGivenPack: (projectId: string) => url(['projects', projectId, 'evidence-packs', 'verify']),
  downloadPack: (projectId: string, packId: string, format: 'json' | 'html' | 'dsse') =>
    url(['projects', projectId, 'evidence-packs', packId, 'download'], { format }),
  scenarios: (projectId: string, parameters?: Parameters) => url(['projects', projectId, 'simulations', 'scenarios'], parameters),
  scenario: (projectId: string, scenarioId: string) => url(['projects', projectId, 'simulations', 'scenarios', scenarioId]),
  tryItem: (projectId: string) => url(['projects', projectId, 'simulations', 'try']),
  batchDistributions: (projectId: string, batchRunId: string, parameters?: Parameters) =>
    url(['projects', projectId, 'simulations', 'batch-runs', batchRunId, 'distributions'], parameters),
  batchRuns: (projectId: string, parameters?: Parameters) =>
    url(['projects', projectId, 'simulations', 'batch-runs'], parameters),
  batchRun: (projectId: string, batchRunId: string) => url(['projects', projectId, 'simulations', 'batch-runs', batchRunId]),
  batchItems: (projectId: string, batchRunId: string, parameters?: Parameters) =>
    url(['projects', projectId, 'simulations', 'batch-runs', batchRunId, 'items'], parameters),
  cancelBatchRun: (projectId: string, batchRunId: string) =>
    url(['projects', projectId, 'simulations', 'batch-runs', batchRunId, 'cancel']),
  gateBatchRun: (projectId: string, batchRunId: string) =>
    url(['projects', projectId, 'simulations', 'batch-runs', batchRunId, 'gate']),
  findings: (projectId: string) => url(['projects', projectId, 'model-lifecycle', 'findings']),
  dismissFinding: (projectId: string, findingId: string) =>
    url(['projects', projectId, 'model-lifecycle', 'findings', findingId, 'dismiss']),
  scanLifecycle: (projectId: string) => url(['projects', projectId, 'model-lifecycle', 'scan']),
  lifecycleCatalogue: (projectId: string) => url(['projects', projectId, 'model-lifecycle', 'catalogue']),
  catalogueModel: (projectId: string, model: string) => url(['projects', projectId, 'model-lifecycle', 'catalogue', model]),
  graph: (projectId: string, parameters?: Parameters) => url(['projects', projectId, 'graph'], parameters),
  blastRadius: (projectId: string, parameters?: Parameters) => url(['projects', projectId, 'blast-radius'], parameters),
  changes: (projectId: string, parameters?: Parameters) => url(['projects', projectId, 'changes'], parameters),
  change: (projectId: string, changeId: string) => url(['projects', projectId, 'changes', changeId]),
  changeImpact: (projectId: string, changeId: string, parameters?: Parameters) =>
    url(['projects', projectId, 'changes', changeId, 'impact'], parameters),
  prompts: (projectId: string, parameters?: Parameters) => url(['prompts'], { projectId, ...parameters }),
  promptFolders: (projectId: string) => url(['prompts', 'folders'], { projectId }),
  promptVersions: (projectId: string, name: string, parameters?: Parameters) =>
    url(['prompts', name, 'versions'], { projectId, ...parameters }),
  promptPart: (projectId: string, name: string, part: 'labels' | 'tags' | 'folder') =>
    url(['prompts', name, part], { projectId }),
  prompt: (projectId: string, name: string) => url(['prompts', name], { projectId }),
  promptMetrics: (projectId: string, name: string, parameters?: Parameters) =>
    url(['projects', projectId, 'prompts', name, 'metrics'], parameters),
  datasets: (projectId: string, parameters?: Parameters) => url(['datasets'], { projectId, ...parameters }),
  dataset: (projectId: string, datasetId: string) => url(['datasets', datasetId], { projectId }),
  datasetItems: (projectId: string, datasetId: string, parameters?: Parameters) =>
    url(['datasets', datasetId, 'items'], { projectId, ...parameters }),
  datasetItem: (projectId: string, datasetId: string, itemId: string) =>
    url(['datasets', datasetId, 'items', itemId], { projectId }),
  datasetImport: (projectId: string, datasetId: string) => url(['datasets', datasetId, 'import'], { projectId }),
  datasetExport: (projectId: string, datasetId: string, format: 'jsonl' | 'csv') =>
    url(['datasets', datasetId, 'export'], { projectId, format }),
  datasetRuns: (projectId: string, datasetId: string, parameters?: Parameters) =>
    url(['datasets', datasetId, 'runs'], { projectId, ...parameters }),
  datasetRun: (projectId: string, datasetId: string, runId: string, parameters?: Parameters) =>
    url(['datasets', datasetId, 'runs', runId], { projectId, ...parameters }),
  compareRuns: (projectId: string, datasetId: string, a: string, b: string) =>
    url(['datasets', datasetId, 'runs', 'compare'], { projectId, runs: `${a},${b}` }),
  policies: (projectId: string) => url(['projects', projectId, 'policies']),
  policyStep: (projectId: string, step: 'validate' | 'plan' | 'apply') => url(['projects', projectId, 'policies', step]),
  attachPolicy: (projectId: string, policyId: string) => url(['projects', projectId, 'policies', policyId, 'attach']),
  pulledPolicies: (projectId: string, parameters?: Parameters) => url(['projects', projectId, 'policies', 'pull'], parameters),
  policyRevisions: (projectId: string, parameters?: Parameters) =>
    url(['projects', projectId, 'policies', 'revisions'], parameters),
  policySchema: () => url(['policies', 'schema.json']),
  organizationPolicies: (organizationId: string) => url(['organizations', organizationId, 'policies']),
};
