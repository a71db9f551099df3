import type { Logger } from 'pino';
import { betweenJobs } from './background-jobs.ts';
import type { OrganizationCreation } from './contract/identity.ts';
import type { Plan } from './contract/plans.ts';
import { alertsOfEnvironments, open as openAlerts } from './features/alerts/index.ts';
import type { AlertsFeature } from './features/alerts/index.ts';
import { open as openAudit } from './features/audit/index.ts';
import { open as openBackup } from './features/backup/index.ts';
import { open as openChanges } from './features/changes/index.ts';
import type { ChangesFeature } from './features/changes/index.ts';
import { open as openComments } from './features/comments/index.ts';
import type { CommentsFeature } from './features/comments/index.ts';
import { open as openCompliance } from './features/compliance/index.ts';
import type { ComplianceFeature } from './features/compliance/index.ts';
import { open as openDashboard } from './features/dashboard/index.ts';
import { open as openDatasets, runItemsOf } from './features/datasets/index.ts';
import type { DatasetsFeature } from './features/datasets/index.ts';
import { open as openEnvironments } from './features/environments/index.ts';
import { evaluatorsOfConnection, open as openEvaluation } from './features/evaluation/index.ts';
import type { EvaluationFeature } from './features/evaluation/index.ts';
import { open as openFigures } from './features/figures/index.ts';
import type { FiguresFeature } from './features/figures/index.ts';
import { open as openGraph } from './features/graph/index.ts';
import { guardrailsOfConnection, guardrailsOfEnvironments, open as openGuardrails } from './features/guardrails/index.ts';
import type { GuardrailsFeature } from './features/guardrails/index.ts';
import { isOperatorOperation, open as openIdentity, operate } from './features/identity/index.ts';
import type { IdentityFeature, OperatorOperations } from './features/identity/index.ts';
import { incidentsOfEnvironments, open as openIncidents, openFixProposals } from './features/incidents/index.ts';
import type { IncidentsFeature } from './features/incidents/index.ts';
import { open as openIngest } from './features/ingest/index.ts';
import { open as openJobs } from './features/jobs/index.ts';
import type { JobsFeature } from './features/jobs/index.ts';
import { open as openMcp } from './features/mcp/index.ts';
import { open as openMetrics } from './features/metrics/index.ts';
import { open as openModelLifecycle } from './features/model-lifecycle/index.ts';
import type { LifecycleFeature } from './features/model-lifecycle/index.ts';
import { open as openModelConnections } from './features/model-connections/index.ts';
import { open as openModels } from './features/models/index.ts';
import { open as openNotifications } from './features/notifications/index.ts';
import type { NotificationsFeature } from './features/notifications/index.ts';
import { countOutcomes, open as openOutcomes, outcomesOfTrace } from './features/outcomes/index.ts';
import { noteConnection, open as openPolicies } from './features/policies/index.ts';
import type { PoliciesFeature } from './features/policies/index.ts';
import { open as openPrices } from './features/prices/index.ts';
import type { PricesFeature } from './features/prices/index.ts';
import { open as openPrompts } from './features/prompts/index.ts';
import type { PromptsFeature } from './features/prompts/index.ts';
import { open as openScores } from './features/scores/index.ts';
import { open as openSelections } from './features/selections/index.ts';
import { open as openShares } from './features/shares/index.ts';
import {
  open as openSimulations,
  blankItems,
  scenariosOfConnection,
  scenariosOfDataset,
  scenariosOfEvaluator,
} from './features/simulations/index.ts';
import type { SimulationsFeature, TargetNetwork } from './features/simulations/index.ts';
import { open as openTraceStore } from './features/trace-store/index.ts';
import type { TraceHooks, TraceStoreFeature } from './features/trace-store/index.ts';
import { open as openUserData } from './features/user-data/index.ts';
import type { UserDataPorts } from './features/user-data/index.ts';
import { open as openTraces } from './features/traces/index.ts';
import { open as openViews } from './features/views/index.ts';
import { outgoingAddresses } from './outgoing-addresses.ts';
import type { OutgoingSettings } from './outgoing-addresses.ts';
import type { Feature, Platform } from './platform/feature/index.ts';
import type { MailRecipients } from './platform/mail/index.ts';

export interface FeatureSettings extends OutgoingSettings {
  adminEmail: string | null;
  adminPassword: string | null;
  apiKey: string | null;
  /** null: the secret is in the environment. */
  secretKeyFile: string | null;
  /** Mebibytes of a body of telemetry as sent. */
  maxRequestMiB: number;
  /** Ingestion requests a minute of an API key. */
  ingestRate: number;
  /** Guardrail checks a minute of an API key. */
  guardrailRate: number;
  strictEnvironments: boolean;
  /** Milliseconds between two evaluations of the alert rules. */
  alertIntervalMs: number;
  /** The mail server; null: no mail is sent. */
  smtpUrl: string | null;
  /** The sender of mail; null: no mail is sent. */
  mailFrom: string | null;
  /** Who may get mail of alert rules. */
  mailRecipients: MailRecipients;
  /** Who may create organizations through the API. */
  organizationCreation: OrganizationCreation;
  /** Of an organization after the first. */
  defaultPlan: Plan;
  /** Directory of the built dashboard. */
  dashboardFolder: string;
  /** How HTTP targets of scenarios are reached; for tests. */
  targetNetwork?: TargetNetwork | undefined;
}

/** Milliseconds that the answer to somebody who is refused for too many attempts is held back. */
const holdRefusedMs = 1_000;

/** The features of a running service. */
export interface Features {
  /** In the order in which they were opened. */
  all: readonly Feature[];
  identity: IdentityFeature;
  figures: FiguresFeature;
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
  comments: CommentsFeature;
  jobs: JobsFeature;
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
    const identity = add(await openIdentity(platform, { ...settings, holdRefusedMs }));
    const { projectPage, projectPlans, projectsOf } = identity;
    const audit = add(openAudit(platform));
    const jobs = add(openJobs(platform));
    const figures = add(openFigures(platform));
    const { hourStates } = figures;
    const models = add(openModels(platform, { hourStates }));
    const traceStore = add(openTraceStore(platform, { hourStates }));
    const { pipeline, usage, search, setScoreScale } = traceStore;
    const prices = add(openPrices(platform, { repricing: traceStore.repricing }));
    const { ownPrices } = prices;
    add(openOutcomes(platform, { pipeline }));
    const { replaceScore } = add(openScores(platform, { pipeline }));
    const views = add(openViews(platform));
    const tracesPorts = { pipeline, outcomesOfTrace, ownPrices, search, views, projectPlans, onExpired: audit.recordRetention };
    const traces = add(openTraces(platform, tracesPorts));
    const { previewSpans, recordRows } = traces;
    const metrics = add(openMetrics(platform, { hourStates, views, recordRows }));
    const comments = add(openComments(platform, { projectPlans, projectPage }, settings));
    const searchProgress = (projectId: string) => search.progress(projectId);
    const ingest = add(
      openIngest(platform, settings, { pipeline, usage, ownPrices, previewSpans, replaceScore, searchProgress }),
    );
    const addresses = outgoingAddresses(platform.postgres.db, settings);
    const useReaders = {
      guardrails: guardrailsOfConnection,
      scenarios: scenariosOfConnection,
      evaluators: evaluatorsOfConnection,
    };
    const modelConnections = add(openModelConnections(platform, { addresses, useReaders, onConnectionChanged: noteConnection }));
    const { hasConnectionNamed } = modelConnections;
    const guardrails = add(
      openGuardrails(
        platform,
        { hasConnectionNamed, models: modelConnections.models, pipeline },
        { checksPerMinute: settings.guardrailRate, strictEnvironments: settings.strictEnvironments },
      ),
    );
    const compliance = add(
      openCompliance(platform, {
        activityOf: guardrails.activityOf,
        reportedOf: guardrails.reportedOf,
        calledModels: models.calledModels,
      }),
    );
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
    const datasets = add(openDatasets(platform, { onRunItemsAdded: evaluation.onRunItemsAdded, scenariosOfDataset, blankItems }));
    const { forgetExports } = add(openSelections(platform, { jobs, pipeline, traces, datasets, views, evaluation }));
    const forgetMadeFrom: UserDataPorts['forgetMadeFrom'] = async (tenant, deleted) => {
      for (const feature of all) await feature.forgetMadeFrom?.(tenant, deleted);
    };
    add(openUserData(platform, { jobs, pipeline, traces, forgetExports, forgetMadeFrom }));
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
    const graph = add(openGraph(platform, { hourStates, changesBetween, outcomesOfTraces: countOutcomes }));
    const { smtpUrl, mailFrom, mailRecipients } = settings;
    const channels = add(openNotifications(platform, { addresses, smtpUrl, mailFrom, mailRecipients }));
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
    const { hasTrace, openTrace } = traces;
    const { sharingOf } = identity;
    const { redactionOf } = guardrails;
    const { isShown } = add(openShares(platform, { sharingOf, hasTrace, openTrace, redactionOf }));
    add(openMcp(platform, { traces, views, metrics, models, prompts, datasets, incidents, graph, ingest }));
    add(openDashboard({ folder: settings.dashboardFolder, isShown }));
    await traceStore.start(all, evaluation.passThresholds);
    await evaluation.scaleEarlierScores();
    const whileStill = <T>(work: () => Promise<T>) => betweenJobs(platform.postgres, all, () => pipeline.whileStill(work));
    const operatorCommands = (operation: string, input: unknown) => {
      if (isOperatorOperation(operation))
        return operate(identity.context, operation, input as OperatorOperations[typeof operation]['input']);
      return Promise.reject(new Error(`the service does not know ${operation}; run the command of its release`));
    };
    add(await openBackup(platform, { whileStill, secretKeyFile: settings.secretKeyFile, operate: operatorCommands }));
    return {
      all,
      identity,
      figures,
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
      comments,
      jobs,
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
