import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { isOver, jobQuery, useSelections } from '../../api/jobs.ts';
import { urlTo } from '../../api/operations.ts';
import type { Job } from '../../api/parts.ts';
import { Button, buttonClass, IconButton } from '../../design/button.tsx';
import { formatExact } from '../../format/number-format.ts';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { jobName } from './bulk-actions.ts';

/** The lists that a job of a selection may have changed. */
const changedLists = ['traces', 'spans', 'trace-counts', 'span-counts', 'facets', 'sessions'];

/** What has become of a job, below the list. */
export function JobProgress({ jobId, onClose }: { jobId: string; onClose(): void }): ReactNode {
  const { projectId } = useProject();
  const client = useQueryClient();
  const { data: job, error } = useQuery(jobQuery(projectId, jobId));
  const isDone = job !== undefined && isOver(job) && job.type !== 'export';
  useEffect(() => {
    if (!isDone) return;
    for (const list of changedLists) void client.invalidateQueries({ queryKey: [list, projectId] });
  }, [isDone, client, projectId]);
  return (
    <section aria-label="Job" className="flex flex-wrap items-center gap-3 border-t border-line bg-raised px-3 py-2 shadow-high">
      {error ? (
        <span role="alert" className="text-bad">
          {error.message}
        </span>
      ) : (
        job && <JobState job={job} />
      )}
      <span className="flex-1" />
      <IconButton label="Hide the job" size="small" onClick={onClose}>
        <X aria-hidden />
      </IconButton>
    </section>
  );
}

/** A job in one line: its progress, its errors, and what it made. */
export function JobState({ job }: { job: Job }): ReactNode {
  const { projectId } = useProject();
  const { cancel } = useSelections(projectId);
  const { type, status, matched, done, failed } = job;
  const over = done + failed;
  return (
    <>
      <span className="font-medium">{jobName(type)}</span>
      <span role="status" className="numbers text-ink-soft">
        {status === 'queued' ? 'waiting' : status} · {formatExact(over)} of {formatExact(matched)}
        {failed > 0 && <span className="text-bad"> · {formatExact(failed)} failed</span>}
      </span>
      <progress
        className="h-1.5 w-32 accent-accent"
        max={Math.max(1, matched)}
        value={over}
        aria-label={`Progress: ${jobName(type)}`}
      />
      {job.errors[0] && (
        <span className="min-w-0 truncate text-bad" title={job.errors.map(({ id, error }) => `${id}: ${error}`).join('\n')}>
          {visibleText(job.errors[0].error)}
        </span>
      )}
      {!isOver(job) && (
        <Button size="small" busy={cancel.isPending} onClick={() => cancel.mutate(job.id)}>
          Cancel
        </Button>
      )}
      <Made job={job} />
    </>
  );
}

function Made({ job: { id, status, result } }: { job: Job }): ReactNode {
  const { at, projectId } = useProject();
  if (status !== 'completed' || result === null) return null;
  if (result.url !== undefined) {
    return (
      <a
        href={urlTo('/v1/projects/{id}/jobs/{jobId}/download', { id: projectId, jobId: id })}
        download
        className={buttonClass('primary', 'small')}
      >
        Download
      </a>
    );
  }
  return result.datasetId === undefined ? null : (
    <Link {...pages.dataset(at, result.datasetId)} className={buttonClass('plain', 'small')}>
      Open dataset
    </Link>
  );
}
