import type { Logger } from 'pino';
import { betweenJobs } from './background-jobs.ts';
import { alertsOfEnvironments, open as openAlerts } from './features/alerts/index.ts';
import type { AlertsFeature } from './features/alerts/index.ts';
import { open as openAudit } from './features/audit/index.ts';
import { open as openBackup } from './features/backup/index.ts';
import { open as openChanges } from './features/changes/index.ts';
import type { ChangesFeature } from './features/changes/index.ts';
import { open as openCompliance } from './features/compliance/index.ts';
import type { ComplianceFeature } from './features/compliance/index.ts';
import { open as openDashboard } from './features/dashboard/index.ts';
import { open as openDatasets, runItemsOf } from './features/datasets/index.ts';
import type { DatasetsFeature } from './features/datasets/index.ts';
import { open as openEnvironments } from './features/environments/index.ts';
import { open as openEvaluation } from './features/evaluation/index.ts';
import type { EvaluationFeature } from './features/evaluation/index.ts';
import { open as openGraph } from './features/graph/index.ts';
import { guardrailsOfEnvironments, open as openGuardrails } from './features/guardrails/index.ts';
import type { GuardrailsFeature } from './features/guardrails/index.ts';
import { open as openIdentity } from './features/identity/index.ts';
import type { IdentityFeature } from './features/identity/index.ts';
import { incidentsOfEnvironments, open as openIncidents, openFixProposals } from './features/incidents/index.ts';
import type { IncidentsFeature } from './features/incidents/index.ts';
import { batchBuilderWorker, open as openIngest } from './features/ingest/index.ts';
import { open as openMcp } from './features/mcp/index.ts';
import { open as openModelLifecycle } from './features/model-lifecycle/index.ts';
import type { LifecycleFeature } from './features/model-lifecycle/index.ts';
import { open as openModelConnections } from './features/model-connections/index.ts';
import { open as openModels } from './features/models/index.ts';
import type { ModelsFeature } from './features/models/index.ts';
import { open as openNotifications } from './features/notifications/index.ts';
import type { NotificationsFeature } from './features/notifications/index.ts';
import { countOutcomes, open as openOutcomes, outcomesOfTrace } from './features/outcomes/index.ts';
import { open as openPolicies } from './features/policies/index.ts';
import type { PoliciesFeature } from './features/policies/index.ts';
import { open as openPrices } from './features/prices/index.ts';
import type { PricesFeature } from './features/prices/index.ts';
import { open as openPrompts } from './features/prompts/index.ts';
import type { PromptsFeature } from './features/prompts/index.ts';
import { open as openSimulations, scenariosOfDataset, scenariosOfEvaluator } from './features/simulations/index.ts';
import type { SimulationsFeature, TargetNetwork } from './features/simulations/index.ts';
import { open as openTraceStore } from './features/trace-store/index.ts';
import type { TraceHooks, TraceStoreFeature } from './features/trace-store/index.ts';
import { open as openTraces } from './features/traces/index.ts';
import type { Feature, Platform } from './platform/feature/index.ts';

export interface FeatureSettings {
  adminEmail: string | null;
  adminPassword: string | null;
  apiKey: string | null;
  /** null: the secret is in the environment. */
  secretKeyFile: string | null;
  /** Guardrail checks a minute of an API key. */
  guardrailRate: number;
  /** Milliseconds between two evaluations of the alert rules. */
  alertIntervalMs: number;
  /** CIDR blocks, beside public addresses, that requests to model connections and webhooks may reach. */
  outgoingAllow: readonly string[];
  /** The mail server; null: no mail is sent. */
  smtpUrl: string | null;
  /** The sender of mail; null: no mail is sent. */
  mailFrom: string | null;
  /** Directory of the built dashboard. */
  dashboardFolder: string;
  /** How HTTP targets of scenarios are reached; for tests. */
  targetNetwork?: TargetNetwork | undefined;
}

/** The features of a running service. */
export interface Features {
  /** In the order in which they were opened. */
  all: readonly Feature[];
  identity: IdentityFeature;
  models: ModelsFeature;
  traceStore: TraceStoreFeature;
  evaluation: EvaluationFeature;
  guardrails: GuardrailsFeature;
  policies: PoliciesFeature;
  alerts: AlertsFeature;
  notifications: NotificationsFeature;
  incidents: IncidentsFeature;
  changes: ChangesFeature;
  modelLifecycle: LifecycleFeature;
  compliance: ComplianceFeature;
  prompts: PromptsFeature;
  datasets: DatasetsFeature;
  simulations: SimulationsFeature;
  prices: PricesFeature;
}

/**
 * Opens every feature with the ports that it needs of others. If one fails to open, the features opened before it are closed.
 */
export async function openFeatures(platform: Platform, settings: FeatureSettings): Promise<Features> {
  const all: Array<Feature & TraceHooks> = [];
  const add = <F extends Feature & TraceHooks>(feature: F): F => {
    all.push(feature);
    return feature;
  };
  try {
    const identity = add(await openIdentity(platform, settings));
    const { projectPage, projectPlans, projectsOf } = identity;
    const audit = add(openAudit(platform));
    const models = add(openModels(platform));
    const traceStore = add(openTraceStore(platform, { batchBuilderWorker, hourStates: models.hourStates }));
    const { pipeline, usage, setScoreScale } = traceStore;
    const prices = add(openPrices(platform, { repricing: traceStore.repricing }));
    const { ownPrices } = prices;
    add(openOutcomes(platform, { pipeline }));
    const tracesPorts = { pipeline, outcomesOfTrace, ownPrices, projectPlans, onExpired: audit.recordRetention };
    const traces = add(openTraces(platform, tracesPorts));
    const { previewSpans } = traces;
    const ingest = add(openIngest(platform, { pipeline, usage, ownPrices, previewSpans }));
    const addresses = { allowed: settings.outgoingAllow };
    const modelConnections = add(openModelConnections(platform, { addresses }));
    const { hasConnectionNamed } = modelConnections;
    const guardrails = add(
      openGuardrails(
        platform,
        { hasConnectionNamed, models: modelConnections.models, pipeline },
        { checksPerMinute: settings.guardrailRate },
      ),
    );
    const compliance = add(openCompliance(platform, { activityOf: guardrails.activityOf, calledModels: models.calledModels }));
    const attachmentReaders = {
      guardrails: guardrailsOfEnvironments,
      alerts: alertsOfEnvironments,
      incidents: incidentsOfEnvironments,
    };
    const environments = add(openEnvironments(platform, { attachmentReaders }));
    const { attachedTo } = environments;
    const policies = add(openPolicies(platform, { hasConnectionNamed, attachedTo, projectsOf }));
    const runItems = runItemsOf(platform);
    const evaluation = add(
      openEvaluation(platform, {
        pipeline,
        setScoreScale,
        models: modelConnections.models,
        runItems,
        scenariosOfEvaluator,
        projectPlans,
      }),
    );
    const datasets = add(openDatasets(platform, { onRunItemsAdded: evaluation.onRunItemsAdded, scenariosOfDataset }));
    const prompts = add(openPrompts(platform));
    const simulations = add(
      openSimulations(platform, {
        pipeline,
        outputs: evaluation.outputs,
        models: modelConnections.models,
        prompts,
        pagesOf: async (projectId) => `${platform.publicOrigin()}${await projectPage(platform.postgres.db, projectId)}`,
        network: settings.targetNetwork,
      }),
    );
    const changes = add(openChanges(platform));
    const { changesBetween } = changes;
    const graph = add(openGraph(platform, { hourStates: models.hourStates, changesBetween, outcomesOfTraces: countOutcomes }));
    const channels = add(openNotifications(platform, { addresses, smtpUrl: settings.smtpUrl, mailFrom: settings.mailFrom }));
    const incidents = add(openIncidents(platform, { notify: channels.notify, wake: channels.wake, changesBetween, projectPage }));
    const { incidentOf } = incidents;
    add(openFixProposals(platform, { incidentOf, models: modelConnections.models, prompts }));
    const newestSpanMs = async (projectId: string) =>
      Math.max(await usage.newestSpanMs(projectId), pipeline.lastActivity(projectId).spanMs);
    const alerts = add(
      openAlerts(
        platform,
        { channels, incidents, projectPlans, newestSpanMs, projectPage },
        { intervalMs: settings.alertIntervalMs },
      ),
    );
    const { calledModels } = models;
    const { raised } = alerts;
    const modelLifecycle = add(openModelLifecycle(platform, { calledModels, projectPlans, raised, wake: channels.wake }));
    add(openMcp(platform, { traces, models, prompts, datasets, incidents, graph, ingest }));
    add(openDashboard({ folder: settings.dashboardFolder }));
    await traceStore.start(all, evaluation.passThresholds);
    await evaluation.scaleEarlierScores();
    const whileStill = <T>(work: () => Promise<T>) => betweenJobs(platform.postgres, all, () => pipeline.whileStill(work));
    add(await openBackup(platform, { whileStill, secretKeyFile: settings.secretKeyFile }));
    return {
      all,
      identity,
      models,
      traceStore,
      evaluation,
      guardrails,
      policies,
      alerts,
      incidents,
      notifications: channels,
      changes,
      modelLifecycle,
      compliance,
      prompts,
      datasets,
      simulations,
      prices,
    };
  } catch (error) {
    await closeFeatures(all, platform.log);
    throw error;
  }
}

/** Closes features, the last opened first. A feature that fails to close does not prevent closing the others. */
export async function closeFeatures(features: readonly Feature[], log: Pick<Logger, 'error'>): Promise<void> {
  for (const feature of features.toReversed()) {
    try {
      await feature.close?.();
    } catch (error) {
      log.error({ err: error }, 'a feature could not be closed');
    }
  }
}
