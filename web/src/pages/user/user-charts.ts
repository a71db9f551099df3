import type { ApplicationUserDetail } from '../../api/service.ts';
import type { CategoryChart } from '../../design/chart-model.ts';
import { formatCount, formatUsdPrecise } from '../../format/number-format.ts';
import type { Timeline } from '../../range.ts';

type Day = ApplicationUserDetail['timeline'][number];

/**
 * The charts of a user over the whole range. The response has no row for days without a trace.
 *
 * @param open opens the traces of a day
 */
export function userCharts(
  { user, timeline }: Pick<ApplicationUserDetail, 'user' | 'timeline'>,
  { starts, labels, axis, unfinished }: Timeline,
  open: (start: string) => void,
): CategoryChart[] {
  const byDay = new Map(timeline.map((row) => [row.day, row]));
  const values = (read: (row: Day) => number) =>
    starts.map((start) => {
      const row = byDay.get(start);
      return row ? read(row) : 0;
    });
  const opening = (category: number) => {
    const start = starts[category];
    if (start !== undefined) open(start);
  };
  const base = { kind: 'bars', unit: '', axis, categories: labels, unfinished, open: opening } as const;
  const count = { ...base, format: formatCount, whole: true } as const;
  // Without a price there is no cost to show.
  const isUnpriced = user.costUsd === 0 && user.unpricedCalls > 0;
  const cost = { ...base, title: 'Daily cost (USD)', format: formatUsdPrecise };
  return [
    { ...count, title: 'Daily traces', series: [{ name: 'Traces', values: values(({ traces }) => traces), color: 1 }] },
    ...(isUnpriced ? [] : [{ ...cost, series: [{ name: 'Cost', values: values(({ costUsd }) => costUsd), color: 3 }] }]),
    ...(user.errors === 0
      ? []
      : [
          {
            ...count,
            title: 'Daily failed spans',
            series: [{ name: 'Failed spans', values: values(({ errors }) => errors), color: 'bad' as const }],
          },
        ]),
  ];
}
