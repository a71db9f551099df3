import type { Logger } from 'pino';
import { betweenJobs } from './background-jobs.ts';
import { open as openAudit } from './features/audit/index.ts';
import { open as openBackup } from './features/backup/index.ts';
import { open as openChanges } from './features/changes/index.ts';
import { open as openCompliance } from './features/compliance/index.ts';
import { open as openDashboard } from './features/dashboard/index.ts';
import { open as openDatasets, runItemsOf } from './features/datasets/index.ts';
import { nothingAttached, open as openEnvironments } from './features/environments/index.ts';
import { open as openEvaluation } from './features/evaluation/index.ts';
import type { EvaluationFeature } from './features/evaluation/index.ts';
import { guardrailsOfEnvironments, open as openGuardrails } from './features/guardrails/index.ts';
import type { GuardrailsFeature } from './features/guardrails/index.ts';
import { open as openIdentity } from './features/identity/index.ts';
import type { IdentityFeature } from './features/identity/index.ts';
import { batchBuilderWorker, open as openIngest } from './features/ingest/index.ts';
import { open as openModelLifecycle } from './features/model-lifecycle/index.ts';
import { open as openModelConnections } from './features/model-connections/index.ts';
import { open as openModels } from './features/models/index.ts';
import type { ModelsFeature } from './features/models/index.ts';
import { open as openPolicies } from './features/policies/index.ts';
import type { PoliciesFeature } from './features/policies/index.ts';
import { open as openPrompts } from './features/prompts/index.ts';
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
  /** CIDR blocks, beside public addresses, that requests to model connections may reach. */
  outgoingAllow: readonly string[];
  /** Directory of the built dashboard. */
  dashboardFolder: string;
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
    const { projectPlans, projectsOf } = identity;
    const audit = add(openAudit(platform));
    add(openCompliance());
    const models = add(openModels(platform));
    const traceStore = add(openTraceStore(platform, { batchBuilderWorker, hourStates: models.hourStates }));
    const { pipeline, usage, setScoreScale } = traceStore;
    add(openIngest(platform, { pipeline, usage }));
    add(openTraces(platform, { pipeline, projectPlans, onExpired: audit.recordRetention }));
    const modelConnections = add(openModelConnections(platform, { addresses: { allowed: settings.outgoingAllow } }));
    const { hasConnectionNamed } = modelConnections;
    const guardrails = add(
      openGuardrails(
        platform,
        { hasConnectionNamed, models: modelConnections.models, pipeline },
        { checksPerMinute: settings.guardrailRate },
      ),
    );
    const attachmentReaders = { guardrails: guardrailsOfEnvironments, alerts: nothingAttached, incidents: nothingAttached };
    const environments = add(openEnvironments(platform, { attachmentReaders }));
    const { attachedTo } = environments;
    const policies = add(openPolicies(platform, { hasConnectionNamed, attachedTo, projectsOf }));
    const runItems = runItemsOf(platform);
    const evaluation = add(
      openEvaluation(platform, { pipeline, setScoreScale, models: modelConnections.models, runItems, projectPlans }),
    );
    add(openDatasets(platform, { onRunItemsAdded: evaluation.onRunItemsAdded }));
    add(openPrompts(platform));
    add(openChanges(platform));
    add(openModelLifecycle(platform, { calledModels: models.calledModels, projectPlans }));
    add(openDashboard({ folder: settings.dashboardFolder }));
    await traceStore.start(all, evaluation.passThresholds);
    await evaluation.scaleEarlierScores();
    const whileStill = <T>(work: () => Promise<T>) => betweenJobs(platform.postgres, all, () => pipeline.whileStill(work));
    add(await openBackup(platform, { whileStill, secretKeyFile: settings.secretKeyFile }));
    return { all, identity, models, traceStore, evaluation, guardrails, policies };
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
