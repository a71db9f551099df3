import type { Overview, TimelineQuery } from '../../contract/models.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { exact, ratio } from '../../platform/statistics/index.ts';
import { compareCodePoints } from '../../platform/text/index.ts';
import { windowOf } from '../figures/index.ts';
import type { FiguresContext } from '../figures/index.ts';
import { FiguresStore } from './figures-store.ts';
import type { CallSums, DayOfCalls, DayOfQuality, Percentiles } from './figures-store.ts';
import { pricedCallsOf, sumOf } from './summary.ts';

/** The overview of a project over a range: totals, and the days of its models and agents (docs/semantics.md, "Overview"). */
export async function getOverview(context: FiguresContext, tenant: Tenant, query: TimelineQuery): Promise<Overview> {
  const window = windowOf(query, tenant.plan, context.clock.now());
  const figures = await FiguresStore.plan(context, tenant.projectId, window, query.environment);
  const days = await figures.overview();
  const models = seriesOf(days, 'model');
  const agents = seriesOf(days, 'agent');
  const named = models.named.map(({ name }) => name);
  const [percentiles, p95, scores, unnamed] = await Promise.all([
    figures.percentilesOf(named),
    figures.timelineP95(named),
    figures.overviewQuality(named),
    figures.unnamed(),
  ]);
  const scoresOf = Map.groupBy(scores, ({ name }) => name);
  const modelSeries = (series: Series) => ({ ...callSeries(series), ...scoreSeries(scoresOf.get(series.name) ?? []) });
  const timelineOf = (name: string, of: readonly DayOfCalls[]) =>
    of.map((sums) => ({ day: sums.day, ...callFigures(sums), p95_latency: p95(name, sums.day) }));
  const listed = models.named.map((series) => ({
    model: series.name,
    ...modelSeries(series),
    ...latencies(percentiles.get(series.name)),
    timeline: timelineOf(series.name, series.days),
  }));
  return {
    totals: {
      ...totalsOf([...models.named, ...(models.others ? [models.others] : [])]),
      ...latencies(percentiles.get('')),
      ...scoreFigures(scores),
      models: models.count,
      agents: agents.count,
      timeline: timelineOf('', allByDay(days)),
    },
    models: listed,
    other_models: models.others && { count: models.count - listed.length, ...modelSeries(models.others) },
    agents: agents.named.map((series) => ({ agent_name: series.name, ...callSeries(series) })),
    other_agents: agents.others && { count: agents.count - agents.named.length, ...callSeries(agents.others) },
    // Listed models carry their number of unpriced calls; the other models need a query.
    unpriced: isPartial(models.others?.whole)
      ? await figures.unpriced()
      : models.named
          .filter(({ whole }) => isPartial(whole))
          .map(({ name, whole }) => ({ model: name, ...pricedCallsOf(whole) }))
          .toSorted(
            (left, right) =>
              right.unpriced_calls - left.unpriced_calls ||
              right.partly_priced_calls - left.partly_priced_calls ||
              compareCodePoints(left.model, right.model),
          ),
    unnamed,
  };
}

/** Whether the cost of some of the calls is not known whole. */
function isPartial(calls: CallSums | undefined): boolean {
  return calls !== undefined && calls.unpriced + calls.partly_priced > 0;
}

/** The days of one model or agent. */
interface Series {
  name: string;
  whole: CallSums;
  days: readonly DayOfCalls[];
}

/** The listed series of a dimension, sorted by cost, descending, and the series of all others. */
function seriesOf(rows: readonly DayOfCalls[], dimension: DayOfCalls['dimension']) {
  const days = rows.filter((row) => row.dimension === dimension);
  const all = [...Map.groupBy(days, ({ name }) => name)].flatMap(([name, [first, ...later]]): Series[] =>
    first ? [{ name, whole: sumOf(first, later), days: [first, ...later] }] : [],
  );
  const named = all
    .filter(({ name }) => name !== '')
    .toSorted(
      ({ name: left, whole: ofLeft }, { name: right, whole: ofRight }) =>
        exact(ofRight.cost) - exact(ofLeft.cost) || ofRight.calls - ofLeft.calls || compareCodePoints(left, right),
    );
  return { named, others: all.find(({ name }) => name === '') ?? null, count: days[0]?.names ?? 0 };
}

/** The calls of all models by day. */
function allByDay(days: readonly DayOfCalls[]): DayOfCalls[] {
  const ofModels = days.filter(({ dimension }) => dimension === 'model');
  return [...Map.groupBy(ofModels, ({ day }) => day).values()]
    .flatMap(([first, ...others]): DayOfCalls[] => (first ? [{ ...first, ...sumOf(first, others) }] : []))
    .toSorted((left, right) => compareCodePoints(left.day, right.day));
}

function callSeries({ whole, days }: Series) {
  return { ...callFigures(whole), timeline: days.map((day) => ({ day: day.day, ...callFigures(day) })) };
}

function callFigures(sums: CallSums) {
  return {
    calls: sums.calls,
    ...pricedCallsOf(sums),
    cost: exact(sums.cost),
    errors: sums.errors,
    error_rate: ratio(sums.errors, sums.calls, 0),
    avg_latency: ratio(sums.duration_sum, sums.finished, 0),
  };
}

function totalsOf(series: readonly Series[]) {
  const [first, ...others] = series.map(({ whole }) => whole);
  const whole = first ? sumOf(first, others) : nothing;
  return {
    ...callFigures(whole),
    input_tokens: whole.input_tokens,
    output_tokens: whole.output_tokens,
    cached_tokens: whole.cached_tokens,
  };
}

const nothing: CallSums = {
  calls: 0,
  finished: 0,
  errors: 0,
  unpriced: 0,
  partly_priced: 0,
  cost: 0,
  duration_sum: 0,
  ttft_sum: 0,
  ttft_count: 0,
  input_tokens: 0,
  output_tokens: 0,
  cached_tokens: 0,
  reasoning_tokens: 0,
  first_seen: 0,
  last_seen: 0,
};

function latencies(percentiles: Percentiles | undefined) {
  return { p50_latency: percentiles?.p50 ?? 0, p95_latency: percentiles?.p95 ?? 0 };
}

function scoreFigures(days: readonly DayOfQuality[]) {
  const evaluations = days.reduce((sum, { quality_evals: evals }) => sum + evals, 0);
  const scores = days.reduce((sum, { quality_sum: scoreSum }) => sum + scoreSum, 0);
  return { eval_count: evaluations, avg_eval_score: ratio(scores, evaluations, null) };
}

function scoreSeries(days: readonly DayOfQuality[]) {
  const scored = days.filter(({ quality_evals: evals }) => evals > 0);
  return {
    ...scoreFigures(days),
    trend: scored.map(({ day, quality_evals: evals, quality_sum: scoreSum }) => ({
      day,
      eval_count: evals,
      avg_score: ratio(scoreSum, evals, 0),
    })),
  };
}
