import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { sessionDetailQuery } from '../../api/traces.ts';
import type { SessionDetail } from '../../api/service.ts';
import { Badge } from '../../design/badge.tsx';
import { buttonClass } from '../../design/button.tsx';
import { Stat, Stats } from '../../design/card.tsx';
import { Count, Counted, Duration, Moment, Score, Usd } from '../../design/figures.tsx';
import { Failure, PageSkeleton } from '../../design/states.tsx';
import { Visible } from '../../design/visible.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { BackLink } from '../../frame/back-link.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { UserLink } from '../../frame/trace-links.tsx';
import { pages } from '../../paths.ts';
import type { RangeSearch } from '../../range.ts';
import { Turns } from './turns.tsx';

/** One session as a conversation. */
export default function SessionPage(): ReactNode {
  const { at, projectId } = useProject();
  const { sessionId } = useParams({ from: '/o/$org/p/$project/sessions/$sessionId' });
  const query = useQuery(sessionDetailQuery(projectId, sessionId));
  return (
    <Page
      title={sessionId}
      trail={
        <Link {...pages.sessions(at)} className="shrink-0 text-ink-faint hover:text-ink hover:underline">
          Sessions /
        </Link>
      }
      actions={
        <Link
          {...pages.traces(at)}
          search={{ session: sessionId, ...(query.data && rangeOf(query.data)) }}
          className={buttonClass()}
        >
          View traces
        </Link>
      }
    >
      {failureOf(query) ? (
        <Failure
          error={query.error}
          what="Session"
          back={<BackLink {...pages.sessions(at)}>Back to sessions</BackLink>}
          onRetry={() => void query.refetch()}
        />
      ) : query.data ? (
        <SessionBody detail={query.data} />
      ) : (
        <PageSkeleton />
      )}
    </Page>
  );
}

/** The time of a session's traces, whatever range the list of traces would show. */
function rangeOf({ session }: SessionDetail): RangeSearch {
  return { from: session.firstSeen, to: new Date(Date.parse(session.lastSeen) + 1).toISOString() };
}

function SessionBody({ detail }: { detail: SessionDetail }): ReactNode {
  const { session, traces, scores, truncated } = detail;
  return (
    <>
      <Stats>
        <Stat
          label="Turns"
          value={<Count value={session.traceCount} />}
          note={session.userId === null ? 'no user' : <UserLink userId={session.userId} />}
        />
        <Stat
          label="Cost"
          value={<Usd value={session.costUsd} unpriced={session.unpricedCalls} partly={session.partlyPricedCalls} />}
          note={
            <>
              {session.unpricedCalls > 0 && (
                <Badge tone="warn" title={`${countedExactly(session.unpricedCalls, 'unpriced call')} not included`}>
                  {session.unpricedCalls === session.callCount ? 'unpriced' : 'partly unpriced'}
                </Badge>
              )}{' '}
              <Counted value={session.callCount} noun="call" />
            </>
          }
        />
        <Stat
          label="Tokens"
          value={<Count value={session.inputTokens + session.outputTokens} />}
          note={
            <>
              <Count value={session.inputTokens} /> in, <Count value={session.outputTokens} /> out
            </>
          }
        />
        <Stat label="Failed spans" value={<Count value={session.errorCount} />} tone={session.errorCount > 0 ? 'bad' : 'plain'} />
        <Stat
          label="Duration"
          value={<Duration ms={Date.parse(session.lastSeen) - Date.parse(session.firstSeen)} />}
          note={
            <>
              since <Moment iso={session.firstSeen} />
            </>
          }
        />
      </Stats>
      {scores.length > 0 && (
        <p className="flex flex-wrap items-center gap-2">
          <span className="text-ink-faint">Session scores:</span>
          {scores.map((score) => (
            <Badge key={score.scoreId} tone={score.passed === false ? 'bad' : score.passed === true ? 'good' : 'neutral'}>
              <Visible text={score.evaluator} />{' '}
              {score.score === null ? <Visible text={score.label ?? ''} /> : <Score value={score.score} />}
            </Badge>
          ))}
        </p>
      )}
      <Turns traces={traces} />
      {truncated === true && <p className="text-ink-faint">Not all turns are shown. View traces for the complete list.</p>}
    </>
  );
}
