import { Link } from '@tanstack/react-router';
import type { Run } from '../../api/service.ts';
import type { Column } from '../../design/column.ts';
import { Absent, Count, Duration, Moment, Score, Share, Usd } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { momentWidth } from '../../design/moment-width.ts';
import { countedExactly, formatShare } from '../../format/number-format.ts';
import { visibleText } from '../../format/visible-text.ts';
import { pages } from '../../paths.ts';
import type { ProjectPath } from '../../paths.ts';

/** Evaluators with a column. The run page shows all. */
const maxEvaluators = 4;

/** A latency in milliseconds, or a placeholder. */
export function Latency({ ms }: { ms: number | null }) {
  return ms === null ? <Absent why="No latency recorded" /> : <Duration ms={ms} />;
}

/** The columns of the runs tab. @param chosen IDs of the selected runs */
export function runColumns(
  at: ProjectPath,
  datasetId: string,
  runs: readonly Run[],
  chosen: readonly string[],
  choose: (id: string) => void,
): ReadonlyArray<Column<Run>> {
  const evaluators = [...new Set(runs.flatMap(({ aggregates }) => aggregates.byEvaluator.map(({ evaluator }) => evaluator)))];
  return [
    ...(runs.length > 1 ? [choiceColumn(chosen, choose)] : []),
    {
      id: 'name',
      title: 'Name',
      width: 110,
      grow: true,
      cell: ({ id, name }) => (
        <Link {...pages.datasetRun(at, datasetId, id)} className="font-medium hover:text-accent hover:underline">
          <VisibleLine text={name} />
        </Link>
      ),
    },
    { id: 'items', title: 'Items', width: 56, align: 'end', cell: ({ aggregates }) => <Count value={aggregates.itemCount} /> },
    {
      id: 'errors',
      title: 'Error rate',
      hint: 'Share of failed items',
      width: 84,
      align: 'end',
      cell: ({ aggregates: { errorRate } }) => (
        <span className={errorRate > 0 ? 'text-bad' : undefined}>
          <Share value={errorRate} />
        </span>
      ),
    },
    ...evaluators.toSorted().slice(0, maxEvaluators).map(evaluatorColumn),
    {
      id: 'p50',
      title: 'Latency p50',
      width: 92,
      droppable: true,
      align: 'end',
      cell: ({ aggregates }) => <Latency ms={aggregates.latencyP50Ms} />,
    },
    { id: 'p95', title: 'p95', width: 66, align: 'end', cell: ({ aggregates }) => <Latency ms={aggregates.latencyP95Ms} /> },
    {
      id: 'cost',
      title: 'Cost',
      width: runs.some(({ aggregates }) => aggregates.unpricedCalls + aggregates.partlyPricedCalls > 0) ? 186 : 72,
      align: 'end',
      cell: ({ aggregates: { costUsd, unpricedCalls, partlyPricedCalls } }) => (
        <Usd value={costUsd} unpriced={unpricedCalls} partly={partlyPricedCalls} />
      ),
    },
    {
      id: 'created',
      title: 'Started',
      width: momentWidth(136),
      align: 'end',
      cell: ({ createdAt }) => <Moment iso={createdAt} />,
    },
  ];
}

function choiceColumn(chosen: readonly string[], choose: (id: string) => void): Column<Run> {
  return {
    id: 'choice',
    title: 'Select',
    hint: 'Select two runs to compare',
    width: 58,
    cell: ({ id, name }) => (
      <input
        type="checkbox"
        className="size-4 align-middle accent-(--accent)"
        aria-label={`Select ${visibleText(name)}`}
        checked={chosen.includes(id)}
        onChange={() => choose(id)}
      />
    ),
  };
}

function evaluatorColumn(evaluator: string): Column<Run> {
  const title = visibleText(evaluator);
  return {
    id: `score ${evaluator}`,
    title,
    hint: `Mean score of ${title}`,
    width: 126,
    align: 'end',
    cell: ({ aggregates }) => {
      const found = aggregates.byEvaluator.find((one) => one.evaluator === evaluator);
      return found && found.avgScore !== null ? (
        <Score
          value={found.avgScore}
          note={`${countedExactly(found.count, 'item')}${found.passRate === null ? '' : `, ${formatShare(found.passRate)} passed`}`}
        />
      ) : (
        <Absent why={found ? `${title} failed for ${countedExactly(found.failed, 'item')}` : `No scores of ${title}`} />
      );
    },
  };
}
