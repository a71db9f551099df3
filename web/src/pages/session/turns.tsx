import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bot, CircleAlert, User } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { tracePayloadsQuery } from '../../api/traces.ts';
import type { TraceSummary } from '../../api/parts.ts';
import { previewOf } from '../../content/preview.ts';
import { moreElements } from '../../content/show-more.tsx';
import { ValueView } from '../../content/value-view.tsx';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Duration, Moment, Usd } from '../../design/figures.tsx';
import { Failure, Skeleton } from '../../design/states.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';

/** Turns shown at a time: a session may have a thousand. */
const turnStep = 50;

/** The traces of a session as the turns of a conversation. */
export function Turns({ traces }: { traces: readonly TraceSummary[] }): ReactNode {
  const [shown, setShown] = useState(turnStep);
  return (
    <>
      <ol className="flex max-w-4xl flex-col gap-3">
        {traces.slice(0, shown).map((trace, index) => (
          <Turn key={trace.traceId} trace={trace} number={index + 1} />
        ))}
      </ol>
      {shown < traces.length && (
        <div>
          <Button repeatable onClick={() => setShown(shown + turnStep)}>
            {moreElements(traces.length - shown, turnStep, 'turns')}
          </Button>
        </div>
      )}
    </>
  );
}

/** The service truncates previews to this many characters. */
const previewLength = 200;

function Turn({ trace, number }: { trace: TraceSummary; number: number }): ReactNode {
  const { at } = useProject();
  const [expanded, setExpanded] = useState(false);
  const truncated = [trace.inputPreview, trace.outputPreview].some(
    (preview) => preview !== null && preview.length >= previewLength,
  );
  return (
    <li className="rounded-lg border border-line bg-surface shadow-card">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1.5 text-xs text-ink-faint">
        <span className="numbers font-semibold text-ink-soft">{number}</span>
        <Link
          {...pages.trace(at, trace.traceId)}
          className="max-w-72 truncate text-sm font-medium text-ink hover:text-accent hover:underline"
        >
          <Visible text={trace.name ?? trace.traceId} />
        </Link>
        {trace.status === 'error' && <Badge tone="bad">failed</Badge>}
        <span className="flex-1" />
        <Duration ms={trace.durationMs} />
        <Usd value={trace.costUsd} unpriced={trace.unpricedCalls} partly={trace.partlyPricedCalls} />
        <Moment iso={trace.startTime} />
      </header>
      <div className="flex flex-col gap-2 px-3 py-2">
        {expanded ? (
          <FullTurn traceId={trace.traceId} />
        ) : (
          <>
            <Said by="user" text={trace.inputPreview} />
            <Said by="assistant" text={trace.outputPreview} failed={trace.status === 'error'} />
          </>
        )}
        {(truncated || expanded) && (
          <button
            type="button"
            onClick={() => setExpanded(!expanded)}
            className="self-start text-xs font-medium text-accent hover:underline"
          >
            {expanded ? 'Show less' : 'Show full turn'}
          </button>
        )}
      </div>
    </li>
  );
}

function Said({ by, text, failed = false }: { by: 'user' | 'assistant'; text: string | null; failed?: boolean }): ReactNode {
  const Icon = by === 'user' ? User : failed && text === null ? CircleAlert : Bot;
  return (
    <p className="flex gap-2">
      <Icon
        className={`mt-0.5 size-4 shrink-0 ${failed && text === null ? 'text-bad' : 'text-ink-faint'}`}
        role="img"
        aria-label={by}
      />
      {text === null ? (
        <span className="text-ink-faint">{failed ? 'Failed without output' : 'Not recorded'}</span>
      ) : (
        <Visible text={previewOf(text)} className="min-w-0 break-words whitespace-pre-wrap" />
      )}
    </p>
  );
}

const noPrevious = { previous: null };

function FullTurn({ traceId }: { traceId: string }): ReactNode {
  const { projectId } = useProject();
  const query = useQuery(tracePayloadsQuery(projectId, traceId));
  if (failureOf(query)) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton className="h-24" />;
  const { input, output } = query.data;
  return (
    <>
      {input !== null && <ValueView title="Input" value={input} history={noPrevious} />}
      {output !== null && <ValueView title="Output" value={output} />}
    </>
  );
}
