import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/client.ts';
import { failureOf } from '../../api/failure-of.ts';
import type { ApplicationUserDetail } from '../../api/service.ts';
import { userQuery } from '../../api/users.ts';
import { buttonClass } from '../../design/button.tsx';
import { Stat, Stats } from '../../design/card.tsx';
import { Chart } from '../../design/chart.tsx';
import { classNames } from '../../design/class-names.ts';
import { Absent, Count, Counted, Moment, Score, Share, Usd } from '../../design/figures.tsx';
import { Empty, Failure, PageSkeleton } from '../../design/states.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { RangePicker } from '../../frame/range-picker.tsx';
import { useNow } from '../../frame/use-now.ts';
import { pages } from '../../paths.ts';
import { linkRange, rangeRequest, rowRange, timelineOf } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';
import { DeleteUser } from './delete-user.tsx';
import { userCharts } from './user-charts.ts';
import { UserDeletion } from './user-deletion.tsx';
import { AgentsOfUser, GuardrailsOfUser, ModelsOfUser } from './user-tables.tsx';

/** One user of the application. */
export default function UserPage(): ReactNode {
  const { at, projectId } = useProject();
  const { userId } = useParams({ from: '/o/$org/p/$project/users/$userId' });
  const search = useSearch({ from: '/o/$org/p/$project/users/$userId' });
  const nowMs = useNow(search);
  const range = useMemo(() => linkRange(search), [search]);
  const query = useQuery({
    ...userQuery(projectId, userId, rangeRequest(search, nowMs)),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title={userId}
      trail={
        <Link {...pages.users(at)} search={range} className="shrink-0 text-ink-faint hover:text-ink hover:underline">
          Users /
        </Link>
      }
      actions={
        <>
          <Link {...pages.traces(at)} search={{ ...range, user: userId }} className={buttonClass()}>
            View traces
          </Link>
          <Link {...pages.sessions(at)} search={{ ...range, user: userId }} className={buttonClass()}>
            View sessions
          </Link>
          <RangePicker />
          <DeleteUser userId={userId} />
        </>
      }
    >
      {search.job !== undefined && <UserDeletion jobId={search.job} />}
      {isAbsent(query.error) ? (
        <Empty
          title="No traces of this user in this time range"
          action={
            <Link {...pages.user(at, userId)} search={{ range: '90d' }} className={buttonClass()}>
              Show last 90 days
            </Link>
          }
        >
          Choose a longer time range. Traces that were deleted or have expired are not shown.
        </Empty>
      ) : failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data ? (
        <UserBody detail={query.data} range={range} nowMs={nowMs} outdated={query.isPlaceholderData} />
      ) : (
        <PageSkeleton />
      )}
    </Page>
  );
}

/** Whether the user has no trace in the range. */
function isAbsent(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

interface UserBodyProps {
  detail: ApplicationUserDetail;
  range: RangeSearch;
  nowMs: number;
  /** Shows the previous range while the new one loads. */
  outdated: boolean;
}

function UserBody({ detail, range, nowMs, outdated }: UserBodyProps): ReactNode {
  const { at } = useProject();
  const navigate = useNavigate();
  const { userId } = detail.user;
  const firstRow = detail.timeline[0]?.day;
  const timeline = useMemo(() => timelineOf(range, nowMs, firstRow, 'day'), [range, nowMs, firstRow]);
  const charts = useMemo(
    () =>
      userCharts(detail, timeline, (start) => {
        void navigate({ ...pages.traces(at), search: { ...rowRange(range, timeline, start), user: userId } });
      }),
    [detail, timeline, range, navigate, at, userId],
  );
  return (
    <div className={classNames('flex flex-col gap-3', outdated && 'opacity-60')} aria-busy={outdated}>
      <UserStats user={detail.user} />
      <div className="grid gap-3 lg:grid-cols-2">
        {charts.map((chart, index) => (
          <Chart key={chart.title} model={chart} className={charts.length % 2 === 1 && index === 0 ? 'lg:col-span-2' : ''} />
        ))}
      </div>
      <div className="grid items-start gap-3 lg:grid-cols-2">
        <ModelsOfUser detail={detail} range={range} />
        <AgentsOfUser detail={detail} range={range} />
      </div>
      <GuardrailsOfUser detail={detail} range={range} />
    </div>
  );
}

function UserStats({ user }: { user: ApplicationUserDetail['user'] }): ReactNode {
  return (
    <Stats>
      <Stat label="Traces" value={<Count value={user.traces} />} note={<Counted value={user.sessions} noun="session" />} />
      <Stat
        label="Cost"
        value={<Usd wraps value={user.costUsd} unpriced={user.unpricedCalls} partly={user.partlyPricedCalls} />}
        note={<Counted value={user.calls} noun="call" />}
      />
      <Stat
        label="Tokens"
        value={<Count value={user.inputTokens + user.outputTokens} />}
        note={
          <>
            <Count value={user.inputTokens} /> in, <Count value={user.outputTokens} /> out
          </>
        }
      />
      <Stat label="Failed spans" value={<Count value={user.errors} />} tone={user.errors > 0 ? 'bad' : 'plain'} />
      <Stat
        label="Quality"
        value={user.avgScore === null ? <Absent why="No scores" /> : <Score value={user.avgScore} />}
        note={<Counted value={user.evalCount} noun="score" />}
      />
      <Stat
        label="Success rate"
        value={
          user.successRate === null ? (
            <Absent why={user.outcomes === 0 ? 'No outcomes' : 'No outcome has a success or failure'} />
          ) : (
            <Share value={user.successRate} />
          )
        }
        note={
          <>
            <Counted value={user.outcomes} noun="outcome" />
            {user.costPerSuccess !== null && (
              <>
                , <Usd value={user.costPerSuccess} /> per success
              </>
            )}
          </>
        }
      />
      <Stat
        label="Last active"
        value={<Moment ago iso={user.lastSeen} />}
        note={
          <>
            first seen <Moment iso={user.firstSeen} />
          </>
        }
      />
    </Stats>
  );
}
