import { Link } from '@tanstack/react-router';
import type { Session } from '../../api/parts.ts';
import { Badge } from '../../design/badge.tsx';
import type { Column } from '../../design/column.ts';
import { Absent, Count, Duration, Moment, Usd } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { momentWidth } from '../../design/moment-width.ts';
import { UserLink } from '../../frame/trace-links.tsx';
import { pages } from '../../paths.ts';
import type { ProjectPath } from '../../paths.ts';

/** The columns of the list of sessions. */
export function sessionColumns(at: ProjectPath): ReadonlyArray<Column<Session>> {
  return [
    {
      id: 'session',
      title: 'Session',
      width: 180,
      grow: true,
      cell: ({ sessionId }) => (
        <Link {...pages.session(at, sessionId)} className="font-medium hover:text-accent hover:underline">
          <VisibleLine text={sessionId} />
        </Link>
      ),
    },
    {
      id: 'user',
      title: 'User',
      width: 115,
      cell: ({ userId }) => (userId === null ? <Absent why="No user recorded" /> : <UserLink userId={userId} />),
    },
    {
      id: 'environment',
      droppable: true,
      title: 'Environment',
      width: 105,
      cell: ({ environments }) => <VisibleLine text={environments.join(', ')} />,
    },
    {
      id: 'turns',
      title: 'Turns',
      hint: 'Number of traces',
      width: 60,
      align: 'end',
      cell: ({ traceCount }) => <Count value={traceCount} />,
    },
    {
      id: 'errors',
      title: 'Failed spans',
      width: 100,
      align: 'end',
      cell: ({ errorCount }) => (errorCount === 0 ? <Absent why="No failed spans" /> : <Badge tone="bad">{errorCount}</Badge>),
    },
    {
      id: 'tokens',
      droppable: true,
      title: 'Tokens',
      width: 75,
      align: 'end',
      cell: ({ inputTokens, outputTokens }) => <Count value={inputTokens + outputTokens} />,
    },
    {
      id: 'cost',
      title: 'Cost',
      width: 186,
      align: 'end',
      cell: ({ costUsd, unpricedCalls, partlyPricedCalls }) => (
        <Usd value={costUsd} unpriced={unpricedCalls} partly={partlyPricedCalls} />
      ),
    },
    {
      id: 'length',
      droppable: true,
      title: 'Duration',
      hint: 'From the first start to the last end',
      width: 95,
      align: 'end',
      cell: ({ firstSeen, lastSeen }) => <Duration ms={Date.parse(lastSeen) - Date.parse(firstSeen)} />,
    },
    {
      id: 'lastSeen',
      title: 'Last active',
      width: momentWidth(126),
      align: 'end',
      cell: ({ lastSeen }) => <Moment iso={lastSeen} />,
    },
  ];
}
