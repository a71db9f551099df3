import type { Feature, Platform } from '../../platform/feature/index.ts';
import { SharedTokenBuckets, TokenBuckets } from '../../platform/rate-limit/index.ts';
import type { RateLimit } from '../../platform/rate-limit/index.ts';
import type { ModelClient } from '../model-connections/index.ts';
import type { IngestPipeline } from '../trace-store/index.ts';
import { ActivityRecorder } from './activity/activity-recorder.ts';
import { activityRoutes } from './activity/routes.ts';
import { BundleAnswers } from './bundle/bundle-answers.ts';
import { bundleRoutes } from './bundle/routes.ts';
import { CheckThreads } from './check/check-threads.ts';
import { Judges } from './check/judges.ts';
import { PolicyCache } from './check/policy-cache.ts';
import { checkRoutes } from './check/routes.ts';
import { TextChecker } from './check/text-checker.ts';
import { ConfigCheck } from './config-check/config-check.ts';
import type { GuardrailsContext } from './guardrails-context.ts';
import { guardrailRoutes } from './routes.ts';

export interface GuardrailsPorts {
  /** Whether a project has a model connection of this name. */
  hasConnectionNamed(projectId: string, name: string): Promise<boolean>;
  models: Pick<ModelClient, 'askModel' | 'findConnectionNamed'>;
  pipeline: Pick<IngestPipeline, 'accept'>;
}

export interface GuardrailsSettings {
  /** Checks a minute of an API key. */
  checksPerMinute: number;
}

export interface GuardrailsFeature extends Feature {
  context: GuardrailsContext;
  /** Writes the activity that is in memory; for tests. */
  flushActivity(): Promise<void>;
}

/** Opens the feature: the records of guardrails, checks, their activity and the policy bundle. */
export function open(
  platform: Pick<Platform, 'postgres' | 'clickhouse' | 'clock' | 'buckets' | 'log' | 'metrics'>,
  { hasConnectionNamed, models, pipeline }: GuardrailsPorts,
  { checksPerMinute }: GuardrailsSettings,
): GuardrailsFeature {
  const { postgres, clickhouse, clock, log, metrics } = platform;
  const configCheck = new ConfigCheck();
  const db = postgres.db as unknown as GuardrailsContext['db'];
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
  const checking = { clock, policies, texts, judges, activity };
  const buckets = openRateLimit(platform, checksPerMinute);
  return {
    context,
    flushActivity: () => activity.flush(),
    routes: (server) => {
      guardrailRoutes(server, context);
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

/** A bucket of a minute's checks for each key. */
function openRateLimit(
  { buckets: store, clock, log }: Pick<Platform, 'buckets' | 'clock' | 'log'>,
  checksPerMinute: number,
): RateLimit {
  const size = { capacity: checksPerMinute, refillPerSecond: checksPerMinute / 60 };
  if (store === null) return new TokenBuckets({ ...size, clock });
  return new SharedTokenBuckets({
    ...size,
    store,
    clock,
    onAway: (error) =>
      log.warn({ err: error }, `the rate limit of checks counts in this replica alone while ${store.name} does not answer`),
    onBack: () => log.warn(`the rate limit of checks is shared in ${store.name} again`),
  });
}
