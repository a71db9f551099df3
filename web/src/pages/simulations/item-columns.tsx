import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { BatchItemChange } from '../../api/parts.ts';
import type { BatchItem, BatchRun } from '../../api/service.ts';
import { TextPreview, ValuePreview } from '../../content/value-preview.tsx';
import { Badge } from '../../design/badge.tsx';
import type { Tone } from '../../design/badge.tsx';
import { classNames } from '../../design/class-names.ts';
import type { Column } from '../../design/column.ts';
import { Absent, Duration, Unpriced, Usd } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { formatScore } from '../../format/number-format.ts';
import { pages } from '../../paths.ts';
import type { ProjectPath } from '../../paths.ts';
import { ItemStatus } from './run-status.tsx';
import type { BatchRunSearch } from './search.ts';

/** The changes of items in words, as names of filters. */
export const changeLabels: Readonly<Record<BatchItemChange, string>> = {
  newly_failing: 'New errors',
  regressed: 'Regressed',
  improved: 'Improved',
  unchanged: 'Unchanged',
};
const changeTones: Readonly<Record<BatchItemChange, Tone>> = {
  newly_failing: 'bad',
  regressed: 'bad',
  improved: 'good',
  unchanged: 'neutral',
};

/** The key of an item in a run and in the URL. */
export function itemKey({ datasetItemId, repetition }: Pick<BatchItem, 'datasetItemId' | 'repetition'>): string {
  return `${datasetItemId}.${repetition}`;
}

/** The name of an item in the page. */
export function itemName({ datasetItemId, repetition }: BatchItem, { repetitions }: BatchRun): string {
  return `${datasetItemId.slice(-8)}${repetitions > 1 ? ` #${repetition}` : ''}`;
}

/** How an item changed from the baseline. */
export function Changes({ changes }: { changes: readonly BatchItemChange[] }): ReactNode {
  if (changes.length === 0) return <Absent why="Not compared" />;
  return (
    <span className="flex gap-1">
      {changes.map((change) => (
        <Badge key={change} tone={changeTones[change]}>
          {change === 'newly_failing' ? 'New error' : changeLabels[change]}
        </Badge>
      ))}
    </span>
  );
}

/** The columns of the items of a batch run. @param search the present search parameters of the page */
export function itemColumns(at: ProjectPath, run: BatchRun, search: BatchRunSearch): ReadonlyArray<Column<BatchItem>> {
  const openKey = search.item;
  return [
    {
      id: 'item',
      title: 'Item',
      width: 104,
      cell: (item) => (
        <Link
          {...pages.batchRun(at, run.id)}
          search={{ ...search, item: itemKey(item) }}
          replace
          aria-label={`Item ${itemName(item, run)}`}
          aria-current={itemKey(item) === openKey ? 'true' : undefined}
          className={classNames(
            'font-mono text-xs hover:text-accent hover:underline',
            itemKey(item) === openKey && 'text-accent',
          )}
        >
          {itemName(item, run)}
        </Link>
      ),
    },
    {
      id: 'input',
      title: 'Input',
      hint: 'As the dataset has it now',
      width: 140,
      grow: true,
      cell: ({ inputPreview }) => <TextPreview json={inputPreview} why="The item was deleted from the dataset" />,
    },
    { id: 'status', title: 'Status', width: 82, cell: ({ status }) => <ItemStatus status={status} /> },
    ...(search.baseline !== undefined
      ? [
          {
            id: 'change',
            title: 'Change',
            width: 166,
            cell: ({ changes }: BatchItem) => <Changes changes={changes ?? []} />,
          },
          {
            id: 'before',
            title: 'Baseline',
            width: 150,
            grow: true,
            cell: ({ baseline }: BatchItem) =>
              baseline === null || baseline === undefined ? <Absent why="Not in the baseline" /> : <Outcome {...baseline} />,
          },
        ]
      : []),
    { id: 'output', title: 'Output or error', width: 180, grow: true, cell: (item) => <Outcome {...item} /> },
    {
      id: 'reference',
      title: 'Reference',
      hint: 'Whether the output matched the expected one',
      width: 84,
      droppable: true,
      cell: ({ referenceMatch }) =>
        referenceMatch === null ? <Absent why="Nothing to match" /> : referenceMatch ? 'matched' : 'differs',
    },
    { id: 'scores', title: 'Scores', width: 150, droppable: true, cell: ({ scores }) => <Scores scores={scores} /> },
    {
      id: 'latency',
      title: 'Latency',
      width: 76,
      align: 'end',
      cell: ({ latencyMs }) => (latencyMs === null ? <Absent why="No latency" /> : <Duration ms={latencyMs} />),
    },
    {
      id: 'cost',
      title: 'Cost',
      width: 92,
      align: 'end',
      cell: ({ costUsd, unpricedCalls, partlyPricedCalls }) => {
        if (costUsd !== null) return <Usd value={costUsd} unpriced={unpricedCalls} partly={partlyPricedCalls} />;
        return unpricedCalls > 0 ? <Unpriced /> : <Absent why="No cost recorded" />;
      },
    },
    {
      id: 'trace',
      title: 'Trace',
      width: 60,
      cell: ({ traceId }) =>
        traceId === null ? (
          <Absent why="No trace" />
        ) : (
          <Link {...pages.trace(at, traceId)} className="text-accent hover:underline">
            Trace
          </Link>
        ),
    },
  ];
}

function Outcome({ output, error }: Pick<BatchItem, 'error'> & { output?: unknown }): ReactNode {
  if (error !== null) return <VisibleLine text={error.slice(0, 400)} className="text-bad" />;
  return <ValuePreview value={output ?? null} className="text-ink-soft" />;
}

function Scores({ scores }: Pick<BatchItem, 'scores'>): ReactNode {
  if (scores.length === 0) return <Absent why="No scores" />;
  const text = scores.map(({ evaluator, score }) => `${evaluator} ${formatScore(score)}`).join(', ');
  return <VisibleLine text={text} className={scores.some(({ passed }) => passed === false) ? 'text-bad' : ''} />;
}
