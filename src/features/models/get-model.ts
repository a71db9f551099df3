import type { RangeName } from '../../contract/common.ts';
import type { ModelDetail, QualityBlock, TimelinePoint } from '../../contract/models.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { FiguresStore } from './figures-store.ts';
import type { CallGroup, CallSums, QualityGroup, QualitySums } from './figures-store.ts';
import { frontierOf } from './frontier.ts';
import type { ModelsContext } from './models-context.ts';
import { byCodePoint, exact, ratio, summaryOf, sumOf } from './summary.ts';
import { windowOf } from './window.ts';

/** Most rows of `usage.agents` and of `usage.operations` (contract section 5). */
const mostUsageRows = 100;

/** Everything about one model over a range (the published model detail). */
export async function getModel(context: ModelsContext, tenant: Tenant, model: string, range: RangeName): Promise<ModelDetail> {
  const window = windowOf(range, tenant.plan, context.clock.now());
  const figures = await FiguresStore.plan(context, tenant.projectId, window);
  const [calls, percentiles, traces, quality] = await Promise.all([
    figures.callsOf(model),
    figures.percentiles(model),
    figures.traces(model),
    figures.qualityOf(model),
  ]);
  const of = (dimension: CallGroup['dimension']) => calls.filter((group) => group.dimension === dimension);
  const wholes = of('model');
  const days = wholes.filter((group) => group.model === model);
  const [firstDay, ...laterDays] = days;
  const others = wholes.filter((group) => group.model !== model);
  const scores = new Map(quality.filter((group) => group.dimension === 'model').map((group) => [group.model, group]));
  if (!firstDay) {
    return {
      model,
      found: false,
      summary: null,
      timeline: [],
      errorBreakdown: [],
      usage: { agents: [], operations: [] },
      quality: { hasData: false, overall: null, byEvaluator: [], trend: [] },
      frontier: frontierOf(null, others, scores),
    };
  }
  const whole = sumOf(firstDay, laterDays);
  const agents = of('agent');
  const operations = of('operation');
  return {
    model,
    found: true,
    summary: summaryOf(whole, {
      model,
      provider: of('provider')[0]?.item ?? null,
      agents: agents[0]?.items ?? 0,
      operations: operations[0]?.items ?? 0,
      traces: traces.get(model) ?? 0,
      percentiles: percentiles.get(model),
      project: { calls: firstDay.all_calls, cost: firstDay.all_cost },
    }),
    timeline: days.map(timelinePoint).toSorted((left, right) => byCodePoint(left.day, right.day)),
    errorBreakdown: of('error').map(({ item, errors }) => ({ error_code: item, count: errors })),
    usage: {
      agents: agents.slice(0, mostUsageRows).map((group) => ({ agent_name: group.item, ...usageOf(group) })),
      operations: operations.slice(0, mostUsageRows).map((group) => ({ operation: group.item, ...usageOf(group) })),
    },
    quality: qualityBlock(
      scores.get(model),
      quality.filter((group) => group.model === model),
    ),
    frontier: frontierOf({ model, ...whole }, others, scores),
  };
}

function timelinePoint(day: CallGroup): TimelinePoint {
  return {
    day: day.item,
    calls: day.calls,
    cost: exact(day.cost),
    avg_latency: ratio(day.duration_sum, day.finished, 0),
    avg_ttft: ratio(day.ttft_sum, day.ttft_count, null),
    errors: day.errors,
    error_rate: ratio(day.errors, day.calls, 0),
    cached_tokens: day.cached_tokens,
    input_tokens: day.input_tokens,
    output_tokens: day.output_tokens,
  };
}

function usageOf(group: CallSums) {
  return {
    calls: group.calls,
    cost: exact(group.cost),
    avg_latency: ratio(group.duration_sum, group.finished, 0),
    error_rate: ratio(group.errors, group.calls, 0),
  };
}

function qualityBlock(whole: QualitySums | undefined, groups: readonly QualityGroup[]): QualityBlock {
  if (!whole || whole.evals === 0) return { hasData: false, overall: null, byEvaluator: [], trend: [] };
  const sorted = groups.toSorted((left, right) => byCodePoint(left.item, right.item));
  const score = (group: QualitySums) => ({ eval_count: group.evals, avg_score: ratio(group.score_sum, group.evals, 0) });
  const passes = (group: QualitySums) => ({ pass_count: group.passed, fail_count: group.failed });
  return {
    hasData: true,
    overall: { ...score(whole), ...passes(whole), pass_rate: ratio(whole.passed, whole.passed + whole.failed, null) },
    byEvaluator: sorted
      .filter((group) => group.dimension === 'evaluator')
      .map((group) => ({ evaluator_slug: group.item, ...score(group), ...passes(group) })),
    trend: sorted.filter((group) => group.dimension === 'day').map((group) => ({ day: group.item, ...score(group) })),
  };
}
