import { Link } from '@tanstack/react-router';
import type { Evaluation } from '../../api/service.ts';
import type { Column } from '../../design/column.ts';
import { Absent, Duration, Moment } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { momentWidth } from '../../design/moment-width.ts';
import { noteOf, ScoreCell, StatusBadge, TargetLink, UsageCell } from './evaluation-cells.tsx';
import { targetTypeLabels } from './evaluations-search.ts';
import type { EvaluationsSearch } from './evaluations-search.ts';

/** The columns of the list of evaluations. */
export function evaluationColumns(search: EvaluationsSearch): ReadonlyArray<Column<Evaluation>> {
  return [
    {
      id: 'evaluator',
      title: 'Evaluator',
      width: 130,
      cell: ({ id, evaluator }) => (
        <Link to="." search={{ ...search, open: id }} replace className="block font-medium hover:text-accent hover:underline">
          <VisibleLine text={evaluator} />
        </Link>
      ),
    },
    { id: 'status', title: 'Status', width: 88, cell: ({ status }) => <StatusBadge status={status} /> },
    { id: 'score', title: 'Score', width: 104, cell: ({ score, passed }) => <ScoreCell {...{ score, passed }} /> },
    { id: 'type', title: 'Target', width: 76, cell: ({ target }) => targetTypeLabels[target.type] },
    { id: 'target', title: 'Subject', width: 130, cell: ({ target }) => <TargetLink target={target} /> },
    {
      id: 'note',
      title: 'Comment or error',
      width: 140,
      grow: true,
      cell: (evaluation) => {
        const note = noteOf(evaluation);
        if (note === null) return <Absent why="No comment" />;
        return <VisibleLine text={note} className={evaluation.status === 'failed' ? 'text-bad' : 'text-ink-soft'} />;
      },
    },
    {
      id: 'usage',
      title: 'Judge',
      hint: 'Tokens and cost of the judge',
      width: 110,
      droppable: true,
      align: 'end',
      cell: ({ usage }) => <UsageCell usage={usage} />,
    },
    {
      id: 'duration',
      title: 'Duration',
      hint: 'Duration of the last attempt',
      width: 76,
      droppable: true,
      align: 'end',
      cell: ({ startedAt, finishedAt }) =>
        startedAt === null || finishedAt === null ? (
          <Absent why="Not finished" />
        ) : (
          <Duration ms={Date.parse(finishedAt) - Date.parse(startedAt)} />
        ),
    },
    {
      id: 'created',
      title: 'Queued',
      width: momentWidth(130),
      align: 'end',
      cell: ({ createdAt }) => <Moment iso={createdAt} />,
    },
  ];
}
