import { Link } from '@tanstack/react-router';
import { CircleAlert } from 'lucide-react';
import type { ListedTrace } from '../../api/parts.ts';
import { TraceText } from '../../content/trace-text.tsx';
import type { Column } from '../../design/column.ts';
import { Count, Duration, Moment, Usd } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { momentWidth } from '../../design/moment-width.ts';
import { countedExactly } from '../../format/number-format.ts';
import { SessionLink, TracesLink } from '../../frame/trace-links.tsx';
import { pages } from '../../paths.ts';
import type { ProjectPath } from '../../paths.ts';
import { Names, none, Preview } from './cells.tsx';
import type { OpenRow } from './cells.tsx';

/** The columns of the list of traces. @param q the search of the list, which the trace marks in its contents @param open see {@link OpenRow} */
export function traceColumns(
  at: ProjectPath,
  q: string | undefined,
  open: OpenRow<ListedTrace>,
): ReadonlyArray<Column<ListedTrace>> {
  return [
    {
      id: 'name',
      title: 'Name',
      width: 120,
      grow: true,
      cell: (trace) => {
        const { traceId, name, status, errorCount } = trace;
        return (
          <span className="flex items-center gap-1.5">
            {status === 'error' && (
              <CircleAlert
                className="size-4 shrink-0 text-bad"
                role="img"
                aria-label={countedExactly(errorCount, 'failed span')}
              />
            )}
            <Link
              {...pages.trace(at, traceId)}
              search={q === undefined ? {} : { q }}
              onClick={(event) => open(event, trace)}
              className="min-w-0 font-medium hover:text-accent hover:underline"
            >
              <VisibleLine text={name ?? traceId} />
            </Link>
          </span>
        );
      },
    },
    { id: 'input', title: 'Input', width: 116, grow: true, cell: (trace) => <TraceText trace={trace} /> },
    { id: 'output', title: 'Output', width: 220, grow: true, cell: ({ outputPreview }) => <Preview json={outputPreview} /> },
    { id: 'models', title: 'Models', width: 104, grow: true, cell: ({ models }) => <Names names={models} what="model" /> },
    { id: 'agents', title: 'Agents', width: 140, cell: ({ agents }) => <Names names={agents} what="agent" filter="agent" /> },
    {
      id: 'session',
      title: 'Session',
      width: 140,
      cell: ({ sessionId }) => (sessionId === null ? none('session') : <SessionLink sessionId={sessionId} />),
    },
    {
      id: 'user',
      title: 'User',
      width: 110,
      cell: ({ userId }) => (userId === null ? none('user') : <TracesLink filter={{ user: userId }} text={userId} />),
    },
    {
      id: 'environment',
      title: 'Environment',
      width: 110,
      cell: ({ environment }) => (environment === null ? none('environment') : <VisibleLine text={environment} />),
    },
    {
      id: 'release',
      title: 'Release',
      width: 110,
      cell: ({ release }) => (release === null ? none('release') : <VisibleLine text={release} />),
    },
    { id: 'tags', title: 'Tags', width: 150, cell: ({ tags }) => <Names names={tags} what="tag" /> },
    { id: 'spans', title: 'Spans', width: 70, align: 'end', cell: ({ spanCount }) => <Count value={spanCount} /> },
    {
      id: 'calls',
      title: 'Calls',
      hint: 'Calls of models',
      width: 70,
      align: 'end',
      cell: ({ callCount }) => <Count value={callCount} />,
    },
    {
      id: 'tokens',
      title: 'Tokens',
      hint: 'Input and output tokens of all calls',
      width: 64,
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
      id: 'latency',
      title: 'Latency',
      width: 86,
      align: 'end',
      sortable: true,
      cell: ({ durationMs }) => <Duration ms={durationMs} />,
    },
    {
      id: 'startTime',
      title: 'Started',
      width: momentWidth(116),
      align: 'end',
      sortable: true,
      cell: ({ startTime }) => <Moment iso={startTime} />,
    },
  ];
}
