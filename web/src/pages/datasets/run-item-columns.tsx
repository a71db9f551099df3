import { Link } from '@tanstack/react-router';
import { ListTree } from 'lucide-react';
import type { DatasetRunItem } from '../../api/parts.ts';
import { ValuePreview } from '../../content/value-preview.tsx';
import { Badge } from '../../design/badge.tsx';
import { classNames } from '../../design/class-names.ts';
import type { Column } from '../../design/column.ts';
import { Absent, Score, Usd } from '../../design/figures.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { pages } from '../../paths.ts';
import type { ProjectPath } from '../../paths.ts';
import type { NumberedItem } from './item-columns.tsx';
import { Latency } from './run-columns.tsx';
import { sourceColumns } from './source-columns.tsx';

const maxEvaluators = 4;

/** The columns of the items of a run. @param sources dataset items by ID */
export function runItemColumns(
  at: ProjectPath,
  sources: ReadonlyMap<string, NumberedItem>,
  evaluators: readonly string[],
  openId: string | undefined,
): ReadonlyArray<Column<DatasetRunItem>> {
  return [
    ...sourceColumns({ sources, openId, idOf: ({ datasetItemId }) => datasetItemId, widths: { number: 48, input: 156 } }),
    {
      id: 'output',
      title: 'Output',
      width: 156,
      grow: true,
      cell: ({ output, error }) =>
        output === null && error !== null ? (
          <Absent why="Failed without output" />
        ) : (
          <ValuePreview value={output} className="text-ink-soft" />
        ),
    },
    {
      id: 'error',
      title: 'Error',
      width: 66,
      value: ({ error }) => (error === null ? 0 : 1),
      cell: ({ error }) =>
        error === null ? (
          <Absent why="No error" />
        ) : (
          <Badge tone="bad" title={error === true ? 'Failed' : visibleText(error.slice(0, 500))}>
            failed
          </Badge>
        ),
    },
    ...evaluators.slice(0, maxEvaluators).map(scoreColumn),
    {
      id: 'latency',
      title: 'Latency',
      width: 92,
      align: 'end',
      value: ({ latencyMs }) => latencyMs,
      cell: ({ latencyMs }) => <Latency ms={latencyMs} />,
    },
    {
      id: 'cost',
      title: 'Cost',
      width: 78,
      align: 'end',
      value: ({ costUsd }) => costUsd,
      cell: ({ costUsd, unpricedCalls, partlyPricedCalls }) =>
        costUsd === null ? (
          <Absent why="No cost recorded" />
        ) : (
          <Usd value={costUsd} unpriced={unpricedCalls} partly={partlyPricedCalls} />
        ),
    },
    {
      id: 'trace',
      title: 'Trace',
      width: 76,
      cell: ({ traceId }) =>
        traceId === null ? (
          <Absent why="No trace recorded" />
        ) : (
          <Link {...pages.trace(at, traceId)} className="inline-flex items-center gap-1 align-middle text-accent hover:underline">
            <ListTree className="size-3.5" aria-hidden />
            Trace
          </Link>
        ),
    },
  ];
}

function scoreColumn(evaluator: string): Column<DatasetRunItem> {
  const scoreOf = ({ scores }: DatasetRunItem) => scores.find((one) => one.evaluator === evaluator);
  return {
    id: `score ${evaluator}`,
    title: visibleText(evaluator),
    width: 120,
    align: 'end',
    value: (item) => scoreOf(item)?.score ?? null,
    cell: (item) => {
      const found = scoreOf(item);
      if (!found) return <Absent why="No score" />;
      return (
        <span className={classNames(found.passed === false && 'text-bad')}>
          <Score value={found.score} {...(found.passed !== null && { note: found.passed ? 'passed' : 'failed' })} />
        </span>
      );
    },
  };
}
