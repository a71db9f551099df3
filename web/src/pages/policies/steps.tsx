import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/client.ts';
import { policyValidationQuery, usePlanPolicies } from '../../api/policies.ts';
import type { PolicyApplied, PolicyFault } from '../../api/policies.ts';
import { Button } from '../../design/button.tsx';
import { Select } from '../../design/field.tsx';
import { Failure, Skeleton } from '../../design/states.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { AppliedView } from './applied-view.tsx';
import { FaultList } from './fault-list.tsx';
import { pathProblems } from './path-problems.ts';
import { PlanView } from './plan-view.tsx';
import { planText } from './policy-words.ts';
import { ProblemList } from './problem-list.tsx';
import { replayHours } from './replay-words.ts';
import type { ReplayHours } from './replay-words.ts';
import type { Selection } from './selection.ts';

/** Validation, plan and result of one selection of files. */
export function Steps({ selection }: { selection: Selection }): ReactNode {
  const { projectId } = useProject();
  const { files } = selection;
  const validation = useQuery(policyValidationQuery(projectId, selection.id, files));
  const planning = usePlanPolicies(projectId);
  const [hours, setHours] = useState<ReplayHours>('168');
  const [applied, setApplied] = useState<PolicyApplied | null>(null);
  const badPaths = pathProblems(validation.error, files);
  if (badPaths) return <ProblemList problems={badPaths} />;
  if (validation.error) return <Failure error={validation.error} onRetry={() => void validation.refetch()} />;
  if (!validation.data) return <Skeleton className="h-20" />;
  if (!validation.data.valid) return <FaultList faults={validation.data.errors} files={files} />;
  if (applied) return <AppliedView applied={applied} />;
  const plan = () => planning.mutate({ files, hours: hours === '0' ? null : Number(hours) });
  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <p role="status" className="mr-auto self-center font-medium text-good">
          The files are valid.
          {planning.data && <span className="sr-only"> Plan ready: {planText(planning.data)}.</span>}
        </p>
        <Select<ReplayHours>
          label="Replay on recorded calls"
          className="w-44"
          value={hours}
          options={replayHours}
          onValue={setHours}
          disabled={planning.isPending}
        />
        <Button look={planning.data ? 'plain' : 'primary'} busy={planning.isPending} onClick={plan}>
          {planning.isPending ? 'Planning' : planning.data ? 'Plan again' : 'Plan'}
        </Button>
      </div>
      {planning.error && <PlanFailure error={planning.error} files={files} />}
      {planning.isPending ? (
        <Skeleton className="h-40" />
      ) : (
        planning.data && (
          <PlanView key={planning.data.planId} plan={planning.data} files={files} onPlanAgain={plan} onApplied={setApplied} />
        )
      )}
    </>
  );
}

/** Files that were valid may no longer be: another environment was deleted meanwhile. */
function PlanFailure({ error, files }: { error: Error; files: Selection['files'] }): ReactNode {
  const faults = error instanceof ApiError && error.code === 'invalid_policy' ? error.body['errors'] : null;
  if (Array.isArray(faults)) return <FaultList faults={faults as PolicyFault[]} files={files} />;
  const wait = error instanceof ApiError && error.retryAfterSeconds !== null ? ` Try again in ${error.retryAfterSeconds}s.` : '';
  return (
    <p role="alert" className="rounded-md border border-bad/40 bg-bad-soft px-3 py-2 text-bad">
      <Visible text={error.message} />
      {wait}
    </p>
  );
}
