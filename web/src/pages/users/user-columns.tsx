import { Link } from '@tanstack/react-router';
import type { ApplicationUser } from '../../api/service.ts';
import { Badge } from '../../design/badge.tsx';
import type { Column } from '../../design/column.ts';
import { Absent, Count, Moment, Score, Share, Usd } from '../../design/figures.tsx';
import { momentWidth } from '../../design/moment-width.ts';
import { VisibleLine } from '../../design/visible.tsx';
import { countedExactly, formatCount, formatExact } from '../../format/number-format.ts';
import { pages } from '../../paths.ts';
import type { ProjectPath } from '../../paths.ts';
import type { RangeSearch } from '../../range.ts';

/** The columns of the list of users. The service sorts by some of them. */
export function userColumns(at: ProjectPath, range: RangeSearch): ReadonlyArray<Column<ApplicationUser>> {
  return [
    {
      id: 'user',
      title: 'User',
      width: 160,
      scrolledWidth: 200,
      grow: true,
      cell: ({ userId }) => (
        <Link {...pages.user(at, userId)} search={range} className="font-medium hover:text-accent hover:underline">
          <VisibleLine text={userId} />
        </Link>
      ),
    },
    {
      id: 'traces',
      title: 'Traces',
      width: 76,
      align: 'end',
      sortable: true,
      cell: ({ traces }) => <Count value={traces} />,
    },
    {
      id: 'sessions',
      title: 'Sessions',
      width: 78,
      droppable: true,
      align: 'end',
      cell: ({ sessions }) => (sessions === 0 ? <Absent why="No session recorded" /> : <Count value={sessions} />),
    },
    {
      id: 'errors',
      title: 'Failed spans',
      width: 106,
      align: 'end',
      sortable: true,
      cell: ({ errors }) =>
        errors === 0 ? (
          <Absent why="No failed spans" />
        ) : (
          <Badge tone="bad" title={formatExact(errors)}>
            {formatCount(errors)}
          </Badge>
        ),
    },
    {
      id: 'tokens',
      title: 'Tokens',
      width: 76,
      droppable: true,
      align: 'end',
      cell: ({ inputTokens, outputTokens }) => <Count value={inputTokens + outputTokens} />,
    },
    {
      id: 'cost',
      title: 'Cost',
      width: 186,
      align: 'end',
      sortable: true,
      cell: ({ costUsd, unpricedCalls, partlyPricedCalls }) => (
        <Usd value={costUsd} unpriced={unpricedCalls} partly={partlyPricedCalls} />
      ),
    },
    {
      id: 'quality',
      title: 'Quality',
      hint: 'Mean score of the traces and their spans',
      width: 78,
      droppable: true,
      align: 'end',
      cell: ({ avgScore, evalCount }) =>
        avgScore === null ? <Absent why="No scores" /> : <Score value={avgScore} note={countedExactly(evalCount, 'score')} />,
    },
    {
      id: 'success',
      title: 'Success rate',
      hint: 'Share of outcomes that succeeded',
      width: 104,
      droppable: true,
      align: 'end',
      cell: ({ successRate, outcomes }) =>
        successRate === null ? (
          <Absent why={outcomes === 0 ? 'No outcomes' : 'No outcome has a success or failure'} />
        ) : (
          <Share value={successRate} note={countedExactly(outcomes, 'outcome')} />
        ),
    },
    {
      id: 'lastSeen',
      title: 'Last active',
      width: momentWidth(126),
      align: 'end',
      sortable: true,
      cell: ({ lastSeen }) => <Moment iso={lastSeen} />,
    },
  ];
}
