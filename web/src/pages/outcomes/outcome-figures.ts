import type { OutcomeSummary } from '../../api/service.ts';
import type { CategoryChart, Series } from '../../design/chart-model.ts';
import { formatCount } from '../../format/number-format.ts';
import { formatMoney } from '../../format/money-format.ts';
import type { Timeline } from '../../range.ts';

type Day = OutcomeSummary['timeline'][number];

/** Kinds with a colour of their own, and currencies with a chart of their own. */
const maxKinds = 5;
const maxCurrencies = 3;
/** The series colour of everything else. */
const othersColor = 6;

/** Outcomes with a value in one currency. */
export interface CurrencyTotal {
  currency: string;
  value: number;
}

/** The values of each currency, the currency with the most outcomes first; currencies without a value are left out. */
export function currencyTotals({ totals }: OutcomeSummary): CurrencyTotal[] {
  const groups = [...Map.groupBy(totals, ({ currency }) => currency)].map(([currency, rows]) => ({
    currency,
    value: rows.reduce((sum, row) => sum + row.value, 0),
    count: rows.reduce((sum, row) => sum + row.count, 0),
    hasValue: rows.some((row) => row.value !== 0),
  }));
  return groups
    .filter(({ hasValue }) => hasValue)
    .toSorted((left, right) => right.count - left.count)
    .map(({ currency, value }) => ({ currency, value }));
}

/** Kinds in the order of their number of outcomes. */
function leadingKinds({ totals }: OutcomeSummary): string[] {
  const counts = new Map<string, number>();
  for (const { kind, count } of totals) counts.set(kind, (counts.get(kind) ?? 0) + count);
  return [...counts].toSorted((left, right) => right[1] - left[1]).map(([kind]) => kind);
}

/** The stacked series of kinds: the leading ones, and all others together. Series of zeros are left out. */
function seriesOf(
  days: readonly Day[],
  kinds: readonly string[],
  starts: readonly string[],
  read: (day: Day) => number,
): Series[] {
  const leading = kinds.slice(0, maxKinds);
  const valuesOf = (belongs: (kind: string) => boolean) => {
    const byDay = new Map<string, number>();
    for (const day of days) if (belongs(day.kind)) byDay.set(day.day, (byDay.get(day.day) ?? 0) + read(day));
    return starts.map((start) => byDay.get(start) ?? 0);
  };
  const series: Series[] = leading.map((kind, index) => ({
    name: kind,
    color: index + 1,
    values: valuesOf((other) => other === kind),
  }));
  if (kinds.length > maxKinds)
    series.push({ name: 'Others', color: othersColor, values: valuesOf((kind) => !leading.includes(kind)) });
  return series.filter(({ values }) => values.some((value) => value !== 0));
}

/** The charts of outcomes by day: their number, the successful ones, and the value in each of the leading currencies. */
export function outcomeCharts(summary: OutcomeSummary, { starts, labels, axis }: Timeline): CategoryChart[] {
  const kinds = leadingKinds(summary);
  const base = { kind: 'bars', stacked: true, unit: 'by kind', axis, categories: labels } as const;
  const counts = { ...base, format: formatCount, whole: true } as const;
  const succeeded = seriesOf(summary.timeline, kinds, starts, ({ successCount }) => successCount);
  return [
    { ...counts, title: 'Daily outcomes', series: seriesOf(summary.timeline, kinds, starts, ({ count }) => count) },
    ...(succeeded.length === 0 ? [] : [{ ...counts, title: 'Daily successful outcomes', series: succeeded }]),
    ...currencyTotals(summary)
      .slice(0, maxCurrencies)
      .map(({ currency }) => ({
        ...base,
        title: `Daily value (${currency})`,
        format: (value: number) => formatMoney(value, currency),
        series: seriesOf(
          summary.timeline.filter((day) => day.currency === currency),
          kinds,
          starts,
          ({ value }) => value,
        ),
      })),
  ];
}

/** The kinds with outcomes in several currencies, whose rows need the currency to be told apart. */
export function kindsWithCurrencies(rows: ReadonlyArray<{ kind: string; currency: string }>): ReadonlySet<string> {
  const currencies = Map.groupBy(rows, ({ kind }) => kind);
  const several = [...currencies].filter(([, ofKind]) => new Set(ofKind.map(({ currency }) => currency)).size > 1);
  return new Set(several.map(([kind]) => kind));
}

/** The rows of a table, those with the most outcomes first. */
export function mostFirst<Row extends { count: number }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((left, right) => right.count - left.count);
}
