import type { Feature, Platform } from '../../platform/feature/index.ts';
import { turnsOf } from '../../platform/budgets/index.ts';
import type { MetricAnswer } from '../../contract/metrics/query.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { runQuery } from './run-query.ts';
import type { Asking } from './run-query.ts';
import type { MetricsContext } from './metrics-context.ts';
import { metricRoutes } from './routes.ts';

export interface MetricsFeature extends Feature {
  /** See {@link runQuery}. */
  runQuery(tenant: Tenant, acting: Asking, sent: unknown): Promise<MetricAnswer>;
}

/** Queries of metrics. */
export function open(
  { clickhouse, clock }: Pick<Platform, 'clickhouse' | 'clock'>,
  { hourStates, views, recordRows }: Pick<MetricsContext, 'hourStates' | 'views' | 'recordRows'>,
): MetricsFeature {
  const context: MetricsContext = { clickhouse, clock, hourStates, views, recordRows, turns: turnsOf('metricQueries') };
  return {
    runQuery: (tenant, acting, sent) => runQuery(context, tenant, acting, sent),
    routes: (server) => metricRoutes(server, context),
  };
}
