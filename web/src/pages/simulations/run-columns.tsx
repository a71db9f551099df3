import { Link } from '@tanstack/react-router';
import type { BatchRun } from '../../api/service.ts';
import type { Column } from '../../design/column.ts';
import { Absent, Duration, Moment, Share, Usd } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { momentWidth } from '../../design/moment-width.ts';
import { formatExact } from '../../format/number-format.ts';
import { pages } from '../../paths.ts';
import type { ProjectPath } from '../../paths.ts';
import { Progress, RunStatus } from './run-status.tsx';

const noneEnded = 'No item has ended';

/** The columns of the list of batch runs. */
export function runColumns(at: ProjectPath, runs: readonly BatchRun[]): ReadonlyArray<Column<BatchRun>> {
  return [
    {
      id: 'label',
      title: 'Label',
      width: 120,
      grow: true,
      cell: ({ id, label }) => (
        <Link {...pages.batchRun(at, id)} className="font-medium hover:text-accent hover:underline">
          <VisibleLine text={label ?? `Run ${id.slice(-8)}`} />
        </Link>
      ),
    },
    {
      id: 'scenario',
      title: 'Scenario',
      width: 130,
      grow: true,
      cell: ({ scenarioName }) => <VisibleLine text={scenarioName} className="text-ink-soft" />,
    },
    { id: 'status', title: 'Status', width: 92, cell: ({ status }) => <RunStatus status={status} /> },
    {
      id: 'progress',
      title: 'Progress',
      width: 150,
      cell: ({ counts }) => (
        <span className="flex items-center gap-2">
          <Progress counts={counts} width={64} />
          <span className="numbers text-xs text-ink-faint">
            {formatExact(counts.total - counts.pending)}/{formatExact(counts.total)}
          </span>
        </span>
      ),
    },
    {
      id: 'passRate',
      title: 'Pass rate',
      width: 76,
      align: 'end',
      cell: ({ passRate }) => (passRate === null ? <Absent why={noneEnded} /> : <Share value={passRate} />),
    },
    {
      id: 'errorRate',
      title: 'Error rate',
      width: 80,
      align: 'end',
      cell: ({ errorRate }) =>
        errorRate === null ? (
          <Absent why={noneEnded} />
        ) : (
          <span className={errorRate > 0 ? 'text-bad' : undefined}>
            <Share value={errorRate} />
          </span>
        ),
    },
    {
      id: 'p95',
      title: 'p95',
      hint: '95th percentile of the latency of an item',
      width: 72,
      align: 'end',
      cell: ({ latencyP95Ms }) => (latencyP95Ms === null ? <Absent why="No latency recorded" /> : <Duration ms={latencyP95Ms} />),
    },
    {
      id: 'cost',
      title: 'Cost',
      width: runs.some(({ unpricedCalls, partlyPricedCalls }) => unpricedCalls + partlyPricedCalls > 0) ? 186 : 76,
      align: 'end',
      cell: ({ costUsd, unpricedCalls, partlyPricedCalls }) => (
        <Usd value={costUsd} unpriced={unpricedCalls} partly={partlyPricedCalls} />
      ),
    },
    {
      id: 'created',
      title: 'Created',
      width: momentWidth(130),
      droppable: true,
      align: 'end',
      cell: ({ createdAt }) => <Moment iso={createdAt} />,
    },
  ];
}
