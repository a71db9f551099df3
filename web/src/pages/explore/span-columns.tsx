import { Link } from '@tanstack/react-router';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ListedSpan } from '../../api/parts.ts';
import { errorLine } from '../../content/span-error.ts';
import { Badge } from '../../design/badge.tsx';
import { classNames } from '../../design/class-names.ts';
import type { Column } from '../../design/column.ts';
import { Absent, Count, Duration, Moment, Score, Unpriced, Usd } from '../../design/figures.tsx';
import { momentWidth } from '../../design/moment-width.ts';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { PromptLink, SessionLink, TracesLink } from '../../frame/trace-links.tsx';
import { pages } from '../../paths.ts';
import type { ProjectPath } from '../../paths.ts';
import { Names, none, Preview } from './cells.tsx';
import type { OpenRow } from './cells.tsx';

const line = (text: string | null, what: string) => (text === null ? none(what) : <VisibleLine text={text} />);

/** The columns of the list of spans, scores aside. @param open see {@link OpenRow} */
export function spanColumns(at: ProjectPath, open: OpenRow<ListedSpan>): ReadonlyArray<Column<ListedSpan>> {
  return [
    { id: 'name', title: 'Name', width: 150, grow: true, cell: (span) => <Name {...{ at, open, span }} /> },
    { id: 'kind', title: 'Kind', width: 88, cell: ({ kind }) => <Badge>{kind}</Badge> },
    { id: 'input', title: 'Input', width: 116, grow: true, cell: (span) => <Said span={span} /> },
    { id: 'output', title: 'Output', width: 220, grow: true, cell: ({ outputPreview }) => <Preview json={outputPreview} /> },
    { id: 'model', title: 'Model', width: 130, cell: ({ model }) => line(model, 'model') },
    { id: 'provider', title: 'Provider', width: 100, cell: ({ provider }) => line(provider, 'provider') },
    { id: 'agent', title: 'Agent', width: 130, cell: ({ agentName }) => line(agentName, 'agent') },
    { id: 'operation', title: 'Operation', width: 110, cell: ({ operation }) => line(operation, 'operation') },
    { id: 'errorCode', title: 'Error code', width: 120, cell: ({ errorCode }) => line(errorCode, 'error code') },
    { id: 'trace', title: 'Trace', width: 140, cell: ({ trace, traceId }) => <VisibleLine text={trace.name ?? traceId} /> },
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
    { id: 'environment', title: 'Environment', width: 110, cell: ({ environment }) => line(environment, 'environment') },
    { id: 'release', title: 'Release', width: 110, cell: ({ release }) => line(release, 'release') },
    { id: 'service', title: 'Service', width: 120, cell: ({ service }) => line(service, 'service') },
    { id: 'tags', title: 'Tags', width: 150, cell: ({ tags }) => <Names names={tags} what="tag" /> },
    {
      id: 'prompt',
      title: 'Prompt',
      width: 140,
      cell: ({ promptName, promptVersion }) =>
        promptName === null ? none('prompt') : <PromptLink name={promptName} version={promptVersion} />,
    },
    {
      id: 'tokens',
      title: 'Tokens',
      hint: 'Input and output tokens',
      width: 80,
      align: 'end',
      sortable: true,
      cell: ({ usage }) => {
        const { inputTokens, outputTokens } = usage ?? {};
        return inputTokens === undefined && outputTokens === undefined ? (
          none('tokens')
        ) : (
          <Count value={(inputTokens ?? 0) + (outputTokens ?? 0)} />
        );
      },
    },
    { id: 'cost', title: 'Cost', width: 100, align: 'end', sortable: true, cell: (span) => <Cost span={span} /> },
    {
      id: 'ttft',
      title: 'First token',
      hint: 'Time to the first token',
      width: 96,
      align: 'end',
      sortable: true,
      cell: ({ timeToFirstTokenMs: ms }) => (ms === null ? none('time to the first token') : <Duration ms={ms} />),
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

/** The column of an evaluator's scores. */
export function scoreColumn(evaluator: string): Column<ListedSpan> {
  return {
    id: `score.${evaluator}`,
    title: evaluator,
    hint: `Score by ${evaluator}`,
    width: 110,
    align: 'end',
    sortable: true,
    cell: ({ scores }) => {
      const score = scores.find((one) => one.evaluator === evaluator);
      if (score === undefined) return <Absent why={`Not scored by ${evaluator}`} />;
      return (
        <span className={classNames(score.passed === false && 'text-bad')}>
          {score.score === null ? <Visible text={score.label ?? '–'} /> : <Score value={score.score} />}
        </span>
      );
    },
  };
}

function Name({ at, open, span }: { at: ProjectPath; open: OpenRow<ListedSpan>; span: ListedSpan }): ReactNode {
  return (
    <span className="flex items-center gap-1.5">
      {span.status === 'error' ? (
        <CircleAlert className="size-4 shrink-0 text-bad" role="img" aria-label="failed" />
      ) : (
        <span
          className="mx-1 size-2 shrink-0 rounded-full"
          title={span.kind}
          style={{ backgroundColor: `var(--kind-${span.kind})` }}
          aria-hidden
        />
      )}
      <Link
        {...pages.trace(at, span.traceId)}
        search={{ span: span.spanId }}
        onClick={(event) => open(event, span)}
        className="min-w-0 font-medium hover:text-accent hover:underline"
      >
        <VisibleLine text={span.name} />
      </Link>
    </span>
  );
}

/** What a span was asked, after the error of a failed one. */
function Said({ span: { status, errorCode, errorMessage, inputPreview } }: { span: ListedSpan }): ReactNode {
  const error = status === 'error' ? errorLine({ errorCode, errorMessage }) : '';
  if (error === '') return <Preview json={inputPreview} />;
  return (
    <span className="flex gap-2">
      <VisibleLine text={error} className={classNames('min-w-0 text-bad', inputPreview !== null && 'max-w-[70%] shrink-0')} />
      {inputPreview !== null && <Preview json={inputPreview} />}
    </span>
  );
}

function Cost({ span: { costUsd, costStatus, isCall } }: { span: ListedSpan }): ReactNode {
  if (costUsd === null) return isCall && costStatus === 'unpriced' ? <Unpriced /> : <Absent why="No cost" />;
  return <Usd value={costUsd} partly={costStatus === 'partly_priced' ? 1 : 0} />;
}
