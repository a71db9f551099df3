import { Link } from '@tanstack/react-router';
import type { ListedModel } from '../../api/wire.ts';
import { Badge } from '../../design/badge.tsx';
import type { Column } from '../../design/column.ts';
import { Absent, Count, Duration, Moment, Unpriced, Usd } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { countedExactly, formatExact, formatScore, formatShare } from '../../format/number-format.ts';
import { pages } from '../../paths.ts';
import type { ProjectPath } from '../../paths.ts';
import type { RangeSearch } from '../../range.ts';
import type { ModelColumnId } from './search.ts';

/** The columns of the list of models. */
export function modelColumns(at: ProjectPath, range: RangeSearch): ReadonlyArray<Column<ListedModel> & { id: ModelColumnId }> {
  return [
    {
      id: 'model',
      title: 'Model',
      width: 205,
      grow: true,
      value: ({ model }) => model,
      cell: ({ model, unpriced_calls: unpriced, total_calls: calls }) => (
        <span className="flex items-center gap-2">
          <Link {...pages.model(at, model)} search={range} className="min-w-0 font-medium hover:text-accent hover:underline">
            <VisibleLine text={model} />
          </Link>
          {unpriced > 0 && unpriced < calls && (
            <Badge tone="warn" title="The price of these calls is not known; they add nothing to the cost">
              {unpriced} unpriced
            </Badge>
          )}
        </span>
      ),
    },
    {
      id: 'provider',
      title: 'Provider',
      width: 100,
      value: ({ provider }) => provider,
      cell: ({ provider }) => (provider === null ? <Absent why="No call names a provider" /> : <VisibleLine text={provider} />),
    },
    {
      id: 'calls',
      title: 'Calls',
      width: 75,
      align: 'end',
      value: (row) => row.total_calls,
      cell: (row) => <Count value={row.total_calls} />,
    },
    {
      id: 'cost',
      title: 'Cost',
      width: 112,
      align: 'end',
      value: (row) => row.total_cost,
      cell: (row) =>
        row.unpriced_calls === row.total_calls ? <Unpriced /> : <Usd value={row.total_cost} unpriced={row.unpriced_calls} />,
    },
    {
      id: 'perCall',
      title: 'Per call',
      width: 112,
      align: 'end',
      value: (row) => row.avg_cost_per_call,
      cell: (row) => (row.unpriced_calls === row.total_calls ? <Unpriced /> : <Usd value={row.avg_cost_per_call} />),
    },
    {
      id: 'p50',
      title: 'p50',
      hint: 'Median latency',
      width: 98,
      align: 'end',
      value: (row) => row.p50_latency,
      cell: (row) => <Duration ms={row.p50_latency} />,
    },
    {
      id: 'p95',
      title: 'p95',
      hint: 'Latency that 95 % of the calls stay under',
      width: 98,
      align: 'end',
      value: (row) => row.p95_latency,
      cell: (row) => <Duration ms={row.p95_latency} />,
    },
    {
      id: 'errors',
      title: 'Errors',
      width: 80,
      align: 'end',
      value: (row) => row.error_rate,
      cell: (row) => (
        <span
          className={row.error_rate >= 0.05 ? 'numbers text-bad' : 'numbers'}
          title={`${formatExact(row.error_count)} of ${countedExactly(row.total_calls, 'call')}`}
        >
          {formatShare(row.error_rate)}
        </span>
      ),
    },
    {
      id: 'quality',
      title: 'Quality',
      hint: 'Mean score of its evaluations',
      width: 75,
      align: 'end',
      value: (row) => row.avg_eval_score,
      cell: (row) =>
        row.avg_eval_score === null ? (
          <Absent why="Nothing was evaluated" />
        ) : (
          <span className="numbers" title={countedExactly(row.eval_count, 'evaluation')}>
            {formatScore(row.avg_eval_score)}
          </span>
        ),
    },
    {
      id: 'share',
      title: 'Share',
      hint: "Of the project's cost",
      width: 88,
      align: 'end',
      value: (row) => row.share_of_cost,
      cell: (row) =>
        row.share_of_cost === null || row.unpriced_calls === row.total_calls ? (
          <Absent why="It has no known cost" />
        ) : (
          formatShare(row.share_of_cost)
        ),
    },
    {
      id: 'lastSeen',
      title: 'Last call',
      width: 100,
      align: 'end',
      value: (row) => row.last_seen,
      cell: (row) => (row.last_seen === null ? null : <Moment ago iso={row.last_seen} />),
    },
  ];
}
