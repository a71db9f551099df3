import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ListedModel } from '../../api/parts.ts';
import type { Finding } from '../../api/service.ts';
import { nearestFinding } from '../../content/lifecycle-words.ts';
import { RetirementBadge } from '../../content/retirement-badge.tsx';
import { Badge } from '../../design/badge.tsx';
import type { Column } from '../../design/column.ts';
import { Absent, Count, Duration, Moment, Score, Share, Unpriced, Usd } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { countedExactly, formatCount, formatExact } from '../../format/number-format.ts';
import { pages } from '../../paths.ts';
import type { ProjectPath } from '../../paths.ts';
import type { FiguresSearch } from '../../range.ts';
import type { ModelColumnId } from './search.ts';

/** The columns of the list of models. @param findings models that are retired soon */
export function modelColumns(
  at: ProjectPath,
  range: FiguresSearch,
  findings: readonly Finding[],
): ReadonlyArray<Column<ListedModel> & { id: ModelColumnId }> {
  return [
    {
      id: 'model',
      title: 'Model',
      width: 160,
      scrolledWidth: 280,
      grow: true,
      value: ({ model }) => model,
      cell: ({ model, unpriced_calls: unpriced, total_calls: calls }) => (
        <span className="flex items-center gap-2">
          <Link {...pages.model(at, model)} search={range} className="min-w-0 font-medium hover:text-accent hover:underline">
            <VisibleLine text={model} />
          </Link>
          {unpriced > 0 && unpriced < calls && (
            <Badge tone="warn" title={`${countedExactly(unpriced, 'unpriced call')} not included in the cost`}>
              {formatCount(unpriced)} unpriced
            </Badge>
          )}
          <Retirement finding={nearestFinding(findings, model)} />
        </span>
      ),
    },
    {
      id: 'provider',
      title: 'Provider',
      width: 94,
      droppable: true,
      value: ({ provider }) => provider,
      cell: ({ provider }) => (provider === null ? <Absent why="No provider recorded" /> : <VisibleLine text={provider} />),
    },
    {
      id: 'calls',
      title: 'Calls',
      width: 66,
      align: 'end',
      value: (row) => row.total_calls,
      cell: (row) => <Count value={row.total_calls} />,
    },
    {
      id: 'cost',
      title: 'Cost',
      width: 92,
      align: 'end',
      value: (row) => row.total_cost,
      cell: (row) =>
        row.unpriced_calls === row.total_calls ? (
          <Unpriced />
        ) : (
          <Usd value={row.total_cost} unpriced={row.unpriced_calls} partly={row.partly_priced_calls} />
        ),
    },
    {
      id: 'perCall',
      title: 'Cost per call',
      width: 112,
      align: 'end',
      value: (row) => row.avg_cost_per_call,
      cell: (row) =>
        row.unpriced_calls === row.total_calls ? (
          <Unpriced />
        ) : (
          <Usd value={row.avg_cost_per_call} unpriced={row.unpriced_calls} partly={row.partly_priced_calls} />
        ),
    },
    {
      id: 'p50',
      title: 'p50',
      hint: 'Median latency',
      width: 74,
      align: 'end',
      value: (row) => row.p50_latency,
      cell: (row) => <Duration ms={row.p50_latency} />,
    },
    {
      id: 'p95',
      title: 'p95',
      hint: '95th percentile of the latency',
      width: 74,
      align: 'end',
      value: (row) => row.p95_latency,
      cell: (row) => <Duration ms={row.p95_latency} />,
    },
    {
      id: 'errors',
      title: 'Error rate',
      width: 98,
      align: 'end',
      value: (row) => row.error_rate,
      cell: (row) => (
        <span className={row.error_rate >= 0.05 ? 'text-bad' : ''}>
          <Share value={row.error_rate} note={`${formatExact(row.error_count)} of ${countedExactly(row.total_calls, 'call')}`} />
        </span>
      ),
    },
    {
      id: 'quality',
      title: 'Quality',
      hint: 'Mean evaluation score',
      width: 80,
      align: 'end',
      value: (row) => row.avg_eval_score,
      cell: (row) =>
        row.avg_eval_score === null ? (
          <Absent why="No evaluations" />
        ) : (
          <Score value={row.avg_eval_score} note={countedExactly(row.eval_count, 'evaluation')} />
        ),
    },
    {
      id: 'share',
      title: 'Cost share',
      hint: 'Share of the project cost',
      width: 98,
      droppable: true,
      align: 'end',
      value: (row) => row.share_of_cost,
      cell: (row) =>
        row.share_of_cost === null || row.unpriced_calls === row.total_calls ? (
          <Absent why="No priced calls" />
        ) : (
          <Share value={row.share_of_cost} />
        ),
    },
    {
      id: 'lastSeen',
      title: 'Last call',
      width: 96,
      droppable: true,
      align: 'end',
      value: (row) => row.last_seen,
      cell: (row) => (row.last_seen === null ? null : <Moment ago iso={row.last_seen} />),
    },
  ];
}

function Retirement({ finding }: { finding: Finding | null }): ReactNode {
  return finding && <RetirementBadge finding={finding} short />;
}
