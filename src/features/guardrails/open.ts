import type { GuardrailActivity } from '../../contract/guardrails.ts';
import type { Feature, Platform } from '../../platform/feature/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { openRateLimit } from '../../platform/rate-limit/index.ts';
import type { ModelClient } from '../model-connections/index.ts';
import type { IngestPipeline } from '../trace-store/index.ts';
import { ActivityRecorder } from './activity/activity-recorder.ts';
import { readActivity } from './activity/read-activity.ts';
import { readReported } from './activity/read-reported.ts';
import type { ReportedChecks } from './activity/read-reported.ts';
import { activityRoutes } from './activity/routes.ts';
import { BundleAnswers } from './bundle/bundle-answers.ts';
import { bundleRoutes } from './bundle/routes.ts';
import { CheckThreads } from './check/check-threads.ts';
import { Judges } from './check/judges.ts';
import { checkRoutes } from './check/routes.ts';
import { TextChecker } from './check/text-checker.ts';
import { ConfigCheck } from './config-check/config-check.ts';
import type { GuardrailsContext } from './guardrails-context.ts';
import { PolicyCache } from './policies/policy-cache.ts';
import { redactionOf } from './policies/redaction.ts';
import type { Redaction } from './policies/redaction.ts';
import { recordRoutes } from './records/routes.ts';

export interface GuardrailsPorts {
  /** Whether a project has a model connection of this name. */
  hasConnectionNamed(projectId: string, name: string): Promise<boolean>;
  models: Pick<ModelClient, 'askModel' | 'findConnectionNamed'>;
  pipeline: Pick<IngestPipeline, 'accept'>;
}

export interface GuardrailsSettings {
  /** Checks a minute of an API key. */
  checksPerMinute: number;
  /** A check of an environment without a record is refused. */
  strictEnvironments: boolean;
}

export interface GuardrailsFeature extends Feature {
  context: GuardrailsContext;
  /** The activity of a range; `from` and `to` are ISO 8601. */
  activityOf(tenant: Tenant, range: { from: string; to: string }): Promise<GuardrailActivity>;
  /** See {@link readReported}. */
  reportedOf(tenant: Tenant, range: { from: string; to: string }): Promise<ReportedChecks>;
  /** See {@link redactionOf}. */
  redactionOf(projectId: string): Promise<Redaction>;
  /** Writes the activity that is in memory; for tests. */
  flushActivity(): Promise<void>;
}

/** Opens the feature: the records of guardrails, checks, their activity and the policy bundle. */
export function open(
  platform: Pick<Platform, 'postgres' | 'clickhouse' | 'clock' | 'buckets' | 'log' | 'metrics'>,
  { hasConnectionNamed, models, pipeline }: GuardrailsPorts,
  { checksPerMinute, strictEnvironments }: GuardrailsSettings,
): GuardrailsFeature {
  const { postgres, clickhouse, clock, log, metrics } = platform;
  const configCheck = new ConfigCheck();
  const db = postgres.db;
  const context: GuardrailsContext = { db, changeFeed: postgres.changeFeed, clock, configCheck, hasConnectionNamed };
  const policies = new PolicyCache(db, postgres.changeFeed);
  const threads = new CheckThreads();
  const judges = new Judges(models, { onError: (error) => log.error({ err: error }, 'a judge could not be asked') });
  const activity = new ActivityRecorder({
    pipeline,
    onLost: ({ checks, error }) => {
      metrics.lostChecks.inc(checks);
      log.error({ err: error, checks }, 'the activity of guardrail checks could not be stored and is lost');
    },
  });
  const texts = new TextChecker(threads);
  const checking = { clock, policies, texts, judges, activity, strictEnvironments };
  // A bucket of a minute's checks for each key.
  const size = { capacity: checksPerMinute, refillPerSecond: checksPerMinute / 60 };
  const buckets = openRateLimit(platform, size, 'checks');
  return {
    context,
    activityOf: (tenant, range) => readActivity({ clickhouse, clock, policies }, tenant, range),
    reportedOf: (tenant, range) => readReported({ clickhouse, clock }, tenant, range),
    redactionOf: async (projectId) => redactionOf(await policies.get(projectId)),
    flushActivity: () => activity.flush(),
    routes: (server) => {
      recordRoutes(server, context);
      checkRoutes(server, checking, { buckets, perMinute: checksPerMinute });
      activityRoutes(server, { clickhouse, clock, pipeline, policies });
      bundleRoutes(server, { policies, bundles: new BundleAnswers(clock) });
    },
    close: async () => {
      await configCheck.close();
      await activity.close();
      await texts.close();
      await threads.close();
      policies.close();
    },
  };
}
