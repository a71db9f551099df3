import type { ModelDetail, QualityBlock, TimelinePoint, TimelineQuery } from '../../contract/models.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { exact, ratio } from '../../platform/statistics/index.ts';
import { compareCodePoints } from '../../platform/text/index.ts';
import { windowOf } from '../figures/index.ts';
import type { FiguresContext } from '../figures/index.ts';
import { FiguresStore } from './figures-store.ts';
import type { CallGroup, CallSums, QualityGroup, QualityMean, QualitySums } from './figures-store.ts';
import { frontierOf } from './frontier.ts';
import { pricedCallsOf, summaryOf, sumOf } from './summary.ts';

/** Maximum rows of `usage.agents` and of `usage.operations` (docs/semantics.md, "Usage by agent and operation"). */
const maxUsageRows = 100;

/** The details of one model over a range (docs/semantics.md, "Model figures"). */
export async function getModel(
  context: FiguresContext,
  tenant: Tenant,
  model: string,
  query: TimelineQuery,
): Promise<ModelDetail> {
  const window = windowOf(query, tenant.plan, context.clock.now());
  const figures = await FiguresStore.plan(context, tenant.projectId, window, query.environment);
  const [calls, percentiles, p95, traces, quality] = await Promise.all([
    figures.callsOf(model),
    figures.percentiles(model),
    figures.timelineP95(model),
    figures.traces(model),
    figures.qualityOf(model),
  ]);
  const of = (dimension: CallGroup['dimension']) => calls.filter((group) => group.dimension === dimension);
  const wholes = of('model');
  const days = wholes.filter((group) => group.model === model);
  const [firstDay, ...laterDays] = days;
  const others = wholes.filter((group) => group.model !== model);
  const scores = new Map([...Map.groupBy(quality, (group) => group.model)].map(([of, groups]) => [of, qualityOf(of, groups)]));
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
  const totals = await figures.totalsOf(model, calls);
  const agents = of('agent');
  const operations = of('operation');
  return {
    model,
    found: true,
    summary: summaryOf(whole, {
      model,
      provider: of('provider')[0]?.item ?? null,
      agents: totals.get('agent')?.items ?? 0,
      operations: totals.get('operation')?.items ?? 0,
      traces: traces.get(model) ?? 0,
      percentiles: percentiles.get(model),
      project: totals.get('model') ?? whole,
    }),
    timeline: days
      .map((day) => timelinePoint(day, p95(model, day.item)))
      .toSorted((left, right) => compareCodePoints(left.day, right.day)),
    errorBreakdown: of('error').map(({ item, errors }) => ({ error_code: item, count: errors })),
    usage: {
      agents: agents.slice(0, maxUsageRows).map((group) => ({ agent_name: group.item, ...usageOf(group) })),
      operations: operations.slice(0, maxUsageRows).map((group) => ({ operation: group.item, ...usageOf(group) })),
    },
    quality: qualityBlock(
      scores.get(model),
      quality.filter((group) => group.model === model),
    ),
    frontier: frontierOf({ model, ...whole }, others, scores),
  };
}

function timelinePoint(day: CallGroup, p95: number): TimelinePoint {
  return {
    day: day.item,
    calls: day.calls,
    cost: exact(day.cost),
    ...pricedCallsOf(day),
    avg_latency: ratio(day.duration_sum, day.finished, 0),
    p95_latency: p95,
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
    ...pricedCallsOf(group),
    avg_latency: ratio(group.duration_sum, group.finished, 0),
    error_rate: ratio(group.errors, group.calls, 0),
  };
}

/** The sums of several groups of scores of one model. */
function qualityOf(model: string, groups: readonly QualityGroup[]): QualitySums {
  const sum = (column: Exclude<keyof QualitySums, 'model'>) => groups.reduce((total, group) => total + group[column], 0);
  return {
    model,
    evals: sum('evals'),
    score_sum: sum('score_sum'),
    passed: sum('passed'),
    failed: sum('failed'),
    quality_evals: sum('quality_evals'),
    quality_sum: sum('quality_sum'),
    quality_passed: sum('quality_passed'),
    quality_failed: sum('quality_failed'),
  };
}

/** The sums of the groups by evaluator or by day, sorted by it. */
function qualityBy(groups: readonly QualityGroup[], name: (group: QualityGroup) => string): Array<[string, QualitySums]> {
  return [...Map.groupBy(groups, name)]
    .map(([key, of]): [string, QualitySums] => [key, qualityOf(of[0]?.model ?? '', of)])
    .toSorted(([left], [right]) => compareCodePoints(left, right));
}

/** `overall` is null when every score is of evaluators that do not measure quality (docs/semantics.md, "Quality"). */
function qualityBlock(whole: QualitySums | undefined, groups: readonly QualityGroup[]): QualityBlock {
  if (!whole || whole.evals === 0) return { hasData: false, overall: null, byEvaluator: [], trend: [] };
  const mean = (sums: QualityMean) => ({
    eval_count: sums.quality_evals,
    avg_score: ratio(sums.quality_sum, sums.quality_evals, 0),
  });
  const { quality_passed: passed, quality_failed: failed } = whole;
  return {
    hasData: true,
    overall:
      whole.quality_evals === 0
        ? null
        : { ...mean(whole), pass_count: passed, fail_count: failed, pass_rate: ratio(passed, passed + failed, null) },
    byEvaluator: qualityBy(groups, ({ evaluator }) => evaluator).map(([slug, group]) => ({
      evaluator_slug: slug,
      eval_count: group.evals,
      avg_score: ratio(group.score_sum, group.evals, 0),
      pass_count: group.passed,
      fail_count: group.failed,
    })),
    trend: qualityBy(groups, ({ day }) => day)
      .filter(([, group]) => group.quality_evals > 0)
      .map(([day, group]) => ({ day, ...mean(group) })),
  };
}
