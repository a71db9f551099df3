import type { Acting } from '../../contract/actor.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { MetricAnswer, MetricQuery } from '../../contract/metrics/query.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { requestSignal } from '../../platform/request-scope/index.ts';
import { answerOf } from './answer-of.ts';
import type { MetricsContext } from './metrics-context.ts';
import { readFigures } from './read-figures.ts';
import { checkQuery, invalidQuery, readQuery } from './read-query.ts';

/** Who asks: the saved views that they can read. */
export type Asking = Pick<Acting, 'projectId' | 'actor'>;

/**
 * Answers a query of metrics (docs/metrics.md).
 *
 * @param sent the query as it was sent
 * Errors: `invalid_query` with the path of what is wrong; `invalid_filter`; `rate_limited` when too many queries of the project wait; `query_too_slow`.
 */
export async function runQuery(context: MetricsContext, tenant: Tenant, acting: Asking, sent: unknown): Promise<MetricAnswer> {
  const query = checkQuery(sent);
  const written = await withFilterOfView(context, acting, query);
  const nowMs = context.clock.now();
  const read = readQuery(written, tenant.plan, nowMs);
  const began = performance.now();
  const figures = await context.turns.run(tenant.projectId, () => inTime(readFigures(context, tenant, read)), requestSignal());
  return { ...answerOf(read, figures, nowMs), ms: Math.round(performance.now() - began) };
}

/** The query with the filter of its view. */
async function withFilterOfView({ views }: MetricsContext, acting: Asking, { view, ...query }: MetricQuery) {
  if (view === undefined) return query;
  try {
    return await views.withView(acting, { view, ...query }, query.on === 'traces' ? 'traces' : 'spans');
  } catch (error) {
    const detail = error instanceof ServiceError ? error.details?.[0] : undefined;
    throw detail?.path === '/view' ? invalidQuery('/view', detail.message) : error;
  }
}

/** What a read that was too slow is told as. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const cause = error instanceof ServiceError ? (error.cause as { code?: unknown } | undefined) : undefined;
    const isTooMuch = cause?.code === '159' || cause?.code === '241';
    if (!isTooMuch) throw error;
    throw new ServiceError(
      'query_too_slow',
      'The query did not end in time; ask for a shorter range, fewer dimensions, or a filter that matches fewer records.',
      { cause: error },
    );
  }
}
