import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { jobsQuery } from '../../api/jobs.ts';
import { Dialog } from '../../design/dialog.tsx';
import { Moment } from '../../design/figures.tsx';
import { Failure, ListSkeleton } from '../../design/states.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { JobState } from './job-progress.tsx';

/** The newest jobs of selections: their progress, and what they made. */
export default function JobsDialog({ onClose }: { onClose(): void }): ReactNode {
  const { projectId } = useProject();
  const query = useQuery(jobsQuery(projectId));
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title="Jobs"
      description="What was done to selections. Files of exports are kept for 7 days."
    >
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <ListSkeleton />
      ) : query.data.jobs.length === 0 ? (
        <p className="text-ink-faint">None yet. Select rows of a list to begin one.</p>
      ) : (
        <ul aria-label="Jobs">
          {query.data.jobs.map((job) => (
            <li key={job.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2 last:border-0">
              <JobState job={job} />
              <span className="flex-1" />
              <span className="text-xs text-ink-faint">
                {visibleText(job.createdBy)}, <Moment iso={job.createdAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
