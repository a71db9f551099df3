import type { ListedModel, ModelDetail } from '../../api/wire.ts';
import type { CategoryChart, Series } from '../../design/chart-model.ts';
import { formatCount, formatDuration, formatScore, formatUsd } from '../../format/number-format.ts';
import { formatUtcDay } from '../../format/time-format.ts';

/** What a project's models come to together. */
export interface Totals {
  calls: number;
  unpricedCalls: number;
  costUsd: number;
  errors: number;
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  /** Mean over evaluations; null when there are none. */
  quality: number | null;
  evaluations: number;
  /** The model with the highest p95 among those with some calls. */
  slowest: ListedModel | null;
}

export function totalsOf(models: readonly ListedModel[]): Totals {
  const sum = (read: (model: ListedModel) => number) => models.reduce((total, model) => total + read(model), 0);
  const evaluations = sum((model) => model.eval_count);
  return {
    calls: sum((model) => model.total_calls),
    unpricedCalls: sum((model) => model.unpriced_calls),
    costUsd: sum((model) => model.total_cost),
    errors: sum((model) => model.error_count),
    inputTokens: sum((model) => model.total_input_tokens),
    outputTokens: sum((model) => model.total_output_tokens),
    cachedTokens: sum((model) => model.total_cached_tokens),
    quality: evaluations === 0 ? null : sum((model) => (model.avg_eval_score ?? 0) * model.eval_count) / evaluations,
    evaluations,
    slowest: models.toSorted((left, right) => right.p95_latency - left.p95_latency)[0] ?? null,
  };
}

/** An agent over all models. */
export interface AgentFigures {
  name: string;
  calls: number;
  costUsd: number;
  errors: number;
  models: number;
}

/** The agents of the given models, costliest first. */
export function agentsOf(details: readonly ModelDetail[]): AgentFigures[] {
  const agents = new Map<string, AgentFigures>();
  for (const row of details.flatMap(({ usage }) => usage.agents)) {
    const agent = agents.get(row.agent_name) ?? { name: row.agent_name, calls: 0, costUsd: 0, errors: 0, models: 0 };
    agent.calls += row.calls;
    agent.costUsd += row.cost;
    agent.errors += row.error_rate * row.calls;
    agent.models += 1;
    agents.set(row.agent_name, agent);
  }
  return [...agents.values()].toSorted((left, right) => right.costUsd - left.costUsd || right.calls - left.calls);
}

type Point = ModelDetail['timeline'][number];
/** Series with a colour of their own; the rest is one series. */
const mostSeries = 5;

/** Each model has one colour on all charts: the busiest ones their own, the others one together. */
function coloured(details: readonly ModelDetail[]): Map<string, number> {
  const busiest = details.toSorted((left, right) => (right.summary?.total_calls ?? 0) - (left.summary?.total_calls ?? 0));
  return new Map(busiest.slice(0, mostSeries).map(({ model }, index) => [model, index + 1]));
}

function byModel(details: readonly ModelDetail[], days: readonly string[], read: (point: Point) => number): Series[] {
  const valuesOf = ({ timeline }: ModelDetail) => {
    const byDay = new Map(timeline.map((point) => [point.day, point]));
    return days.map((day) => {
      const point = byDay.get(day);
      return point ? read(point) : 0;
    });
  };
  const colors = coloured(details);
  const rows = details
    .map((detail) => ({ name: detail.model, values: valuesOf(detail) }))
    .filter(({ values }) => values.some((value) => value > 0));
  const shown = rows
    .flatMap((row) => {
      const color = colors.get(row.name);
      return color === undefined ? [] : [{ ...row, color }];
    })
    .toSorted((left, right) => left.color - right.color);
  const rest = rows.filter(({ name }) => !colors.has(name));
  if (rest.length === 0) return shown;
  const summed = days.map((_, index) => rest.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  return [...shown, { name: rest.length === 1 ? (rest[0]?.name ?? '') : `${rest.length} others`, values: summed, color: 6 }];
}

/** The days of the range as charts, by model. */
export function overviewCharts(details: readonly ModelDetail[], days: readonly string[]): CategoryChart[] {
  const base = { axis: 'Day (UTC)', categories: days.map(formatUtcDay) } as const;
  const colors = coloured(details);
  const lines = (read: (detail: ModelDetail) => ReadonlyMap<string, number>): Series[] =>
    details
      .flatMap((detail) => {
        const color = colors.get(detail.model);
        if (color === undefined) return [];
        const values = read(detail);
        return [{ name: detail.model, color, values: days.map((day) => values.get(day) ?? null) }];
      })
      .filter(({ values }) => values.some((value) => value !== null))
      .toSorted((left, right) => left.color - right.color);
  const latency = lines(({ timeline }) => new Map(timeline.map(({ day, avg_latency }) => [day, avg_latency])));
  const quality = lines(({ quality: { trend } }) => new Map(trend.map(({ day, avg_score }) => [day, avg_score])));
  return [
    {
      ...base,
      kind: 'bars',
      title: 'Cost',
      unit: 'US dollars a day, by model',
      stacked: true,
      format: formatUsd,
      series: byModel(details, days, ({ cost }) => cost),
    },
    {
      ...base,
      kind: 'bars',
      title: 'Calls',
      unit: 'a day, by model',
      stacked: true,
      format: formatCount,
      series: byModel(details, days, ({ calls }) => calls),
    },
    { ...base, kind: 'lines', title: 'Latency', unit: 'mean of a day, busiest models', format: formatDuration, series: latency },
    {
      ...base,
      kind: 'bars',
      title: 'Failed calls',
      unit: 'a day, by model',
      stacked: true,
      format: formatCount,
      series: byModel(details, days, ({ errors }) => errors),
    },
    ...(quality.length === 0
      ? []
      : [
          {
            ...base,
            kind: 'lines' as const,
            title: 'Quality',
            unit: 'mean score of a day, busiest models',
            format: formatScore,
            series: quality,
          },
        ]),
  ];
}
