import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import type { Job } from '../../api/service.ts';
import { isOver, jobQuery } from '../../api/jobs.ts';
import { deletedLists } from '../../api/users.ts';
import { Card, Stat, Stats } from '../../design/card.tsx';
import { classNames } from '../../design/class-names.ts';
import { CopyButton } from '../../design/copy.tsx';
import { Count, Moment } from '../../design/figures.tsx';
import { Failure, Skeleton } from '../../design/states.tsx';
import { countedExactly, formatExact } from '../../format/number-format.ts';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';

/** The progress of the job that deletes a user's data, and its receipt. */
export function UserDeletion({ jobId }: { jobId: string }): ReactNode {
  const { projectId } = useProject();
  const client = useQueryClient();
  const query = useQuery(jobQuery(projectId, jobId));
  const isDone = query.data !== undefined && isOver(query.data);
  useEffect(() => {
    if (!isDone) return;
    for (const list of deletedLists) void client.invalidateQueries({ queryKey: [list, projectId] });
  }, [isDone, client, projectId]);
  return (
    <Card title="Deletion of this user's data" aside={<Receipt job={query.data} />}>
      <div className="flex flex-col gap-3 p-3">
        {failureOf(query) ? (
          <Failure error={query.error} what="Job" onRetry={() => void query.refetch()} />
        ) : query.data ? (
          <DeletionState job={query.data} />
        ) : (
          <Skeleton className="h-8" />
        )}
      </div>
    </Card>
  );
}

function Receipt({ job }: { job: Job | undefined }): ReactNode {
  const receipt = job?.result?.receipt;
  return receipt && <CopyButton label="Copy receipt" text={JSON.stringify(receipt, null, 2)} />;
}

const states: Readonly<Record<Job['status'], string>> = {
  queued: 'Waiting to start',
  running: 'Deleting',
  completed: 'Deleted',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

function DeletionState({ job }: { job: Job }): ReactNode {
  const { status, matched, done, failed, errors } = job;
  const receipt = job.result?.receipt;
  const share = matched === 0 ? 1 : (done + failed) / matched;
  return (
    <>
      <p role="status" className="flex flex-wrap items-center gap-3">
        <span className="font-medium">{states[status]}</span>
        <span
          role="progressbar"
          aria-label="Progress of the deletion"
          aria-valuemin={0}
          aria-valuemax={matched}
          aria-valuenow={done + failed}
          className="h-2 w-40 overflow-hidden rounded-full bg-sunken"
        >
          <span
            className={classNames('block h-full', failed > 0 ? 'bg-warn' : 'bg-accent')}
            style={{ width: `${share * 100}%` }}
          />
        </span>
        <span className="numbers text-ink-soft">
          {formatExact(done)} of {countedExactly(matched, 'trace')}
          {failed > 0 && <span className="text-bad"> · {formatExact(failed)} failed</span>}
        </span>
      </p>
      {errors[0] && (
        <p role="alert" className="text-bad">
          {visibleText(errors[0].error)}
        </p>
      )}
      {receipt && (
        <Stats>
          <Stat label="Traces" value={<Count value={receipt.traces} />} />
          <Stat label="Spans" value={<Count value={receipt.spans} />} />
          <Stat label="Scores" value={<Count value={receipt.scores} />} />
          <Stat label="Outcomes" value={<Count value={receipt.outcomes} />} />
          <Stat label="In no log or backup after" value={<Moment iso={receipt.until} />} note="as far as the service knows" />
        </Stats>
      )}
    </>
  );
}
