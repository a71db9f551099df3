import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { Chart } from '../../design/chart.tsx';
import { Empty, Skeleton } from '../../design/states.tsx';
import type { Counted } from './over-time.ts';
import { overTimeCharts, rangeOfBuckets } from './over-time.ts';
import type { Explore } from './use-explore.ts';

export interface OverTimeChartsProps {
  explore: Explore;
  counted: Counted | undefined;
  areCountsFailed: boolean;
}

/** The list as charts over time. A bar narrows the range to its time. */
export default function OverTimeCharts({ explore, counted, areCountsFailed }: OverTimeChartsProps): ReactNode {
  const { search, change, isUnreadable } = explore;
  const charts = useMemo(
    () =>
      counted === undefined
        ? null
        : overTimeCharts(counted, (bucket) => {
            const range = rangeOfBuckets(counted, bucket, bucket);
            if (range !== null) change({ range: undefined, ...range });
          }),
    [counted, change],
  );
  if (isUnreadable) return <Empty title="The filter can’t be read">Correct it above.</Empty>;
  if (search.q !== undefined) {
    return (
      <Empty title="A search is not counted">Write the text into the filter, in quotation marks, to see it over time.</Empty>
    );
  }
  if (areCountsFailed && charts === null) return <Empty title="The counts are not available">Refresh the page.</Empty>;
  return (
    <div className="scroll-thin flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-4">
      {charts === null ? (
        <Skeleton className="h-64" />
      ) : (
        charts.map((chart) => <Chart key={chart.title} model={chart} height={220} className="shrink-0" />)
      )}
    </div>
  );
}
