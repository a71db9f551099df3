import type { Feature, Platform } from '../../platform/feature/index.ts';
import type { AlertsContext, AlertsPorts } from './alerts-context.ts';
import { evaluateAlerts } from './evaluate-alerts.ts';
import { raiseFindings } from './raise-findings.ts';
import { openRateLimit } from '../../platform/rate-limit/index.ts';
import { redeliveryRate, testRate } from './delivery-routes.ts';
import { alertRoutes } from './routes.ts';
import type { Transaction } from '../../platform/postgres/index.ts';

export interface AlertsFeature extends Feature {
  context: AlertsContext;
  /** Announces raised findings of model-lifecycle, in the caller's transaction. */
  raised(transaction: Transaction, projectId: string, findings: ReadonlyArray<Readonly<Record<string, unknown>>>): Promise<void>;
}

/** Alert rules, and the job that evaluates them. */
export function open(
  platform: Pick<Platform, 'postgres' | 'clickhouse' | 'clock' | 'log' | 'metrics' | 'buckets'>,
  ports: AlertsPorts,
  { intervalMs }: { intervalMs: number },
): AlertsFeature {
  const { postgres, clickhouse, clock, log, metrics } = platform;
  const buckets = {
    tests: openRateLimit(platform, testRate, 'tests of alert rules'),
    redeliveries: openRateLimit(platform, redeliveryRate, 'redeliveries'),
  };
  const context: AlertsContext = { ...ports, db: postgres.db, clickhouse, clock };
  const job = {
    intervalMs,
    onResult: (result: string) => metrics.alertEvaluations.inc({ result }),
    onError: ({ id, projectId }: { id: string; projectId: string }, error: unknown) =>
      log.error({ err: error, projectId, alertId: id }, 'an alert rule could not be evaluated; the next run tries again'),
  };
  return {
    context,
    raised: (transaction, projectId, findings) => raiseFindings(context, transaction, projectId, findings),
    routes: (server) => alertRoutes(server, context, buckets),
    jobs: [
      {
        name: 'evaluate-alerts',
        everyMs: intervalMs,
        changes: ['postgres'],
        run: (signal) => evaluateAlerts(context, job, signal),
      },
    ],
  };
}
