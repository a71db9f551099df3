import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { organizationPoliciesQuery } from '../../api/policies.ts';
import type { PolicyList, PolicyRecord, ProjectPolicies } from '../../api/policies.ts';
import { classNames } from '../../design/class-names.ts';
import { DataTable } from '../../design/data-table.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { DetachDialog } from '../../frame/managed-by-code.tsx';
import { useProject } from '../../frame/project-context.ts';
import { AttachDialog } from './attach-dialog.tsx';
import { FirstSteps } from './first-steps.tsx';
import { policyColumns } from './policy-columns.tsx';
import { PolicyStats } from './policy-stats.tsx';
import { driftOf } from './policy-words.ts';

type Move = { policy: PolicyRecord; to: 'detach' | 'attach' };

/** The environments and guardrails of a project with who manages each, or how to begin with policy-as-code. */
export function PoliciesTab({ list }: { list: PolicyList }): ReactNode {
  const { at, organization, projectId, can } = useProject();
  const summary = useQuery(organizationPoliciesQuery(organization.id)).data?.projects.find((one) => one.projectId === projectId);
  const applied = hasApplied(list, summary);
  const [move, setMove] = useState<Move | null>(null);
  const canApply = can('policy:apply');
  const columns = useMemo(
    () => policyColumns({ at, applied, onMove: canApply ? (policy, to) => setMove({ policy, to }) : null }),
    [at, applied, canApply],
  );
  const drifted = summary?.drift.length ?? null;
  const unmanaged = list.policies.filter((policy) => driftOf(policy, applied) === 'unmanaged').length;
  return (
    <div className="scroll-thin flex h-full min-h-0 flex-col overflow-auto">
      {(applied || list.policies.length > 0) && (
        <PolicyStats list={list} {...{ drifted, unmanaged }} applied={applied} lastApply={summary?.lastApply ?? null} />
      )}
      {!canApply && (
        <p role="note" className="border-b border-line px-4 py-2 text-ink-soft">
          Read-only: your role lacks the permission <code className="font-mono">policy:apply</code>. You can validate and plan
          files; owners and admins apply, detach and attach.
        </p>
      )}
      {list.policies.length > 0 && (
        <DataTable<PolicyRecord>
          label="Policies"
          columns={columns}
          rows={list.policies}
          rowKey={({ id }) => id}
          sortedByService
          className={classNames('bg-surface', applied ? 'min-h-64 flex-1' : 'max-h-96 min-h-24 shrink-0 border-b border-line')}
          footer={<p className="px-3 py-2 text-xs text-ink-faint">{policiesText(list.policies.length)}</p>}
        />
      )}
      {!applied && <FirstSteps projectId={projectId} hasPolicies={list.policies.length > 0} />}
      {move?.to === 'attach' && <AttachDialog policy={move.policy} onClose={() => setMove(null)} />}
      {move?.to === 'detach' && <DetachDialog open record={recordOf(move.policy)} onClose={() => setMove(null)} />}
    </div>
  );
}

function recordOf({ id, kind, name }: PolicyRecord) {
  return { id, name, kind: kind === 'Guardrail' ? ('guardrail' as const) : ('environment' as const) };
}

/** Whether the project has ever applied files. Derived from its policies while the summary is loading, or does not list the project. */
function hasApplied({ policies }: PolicyList, summary: ProjectPolicies | undefined): boolean {
  if (summary) return summary.lastApply !== null;
  return policies.some(({ managedBy, detached, path }) => managedBy === 'code' || detached || path !== null);
}

function policiesText(count: number): string {
  return count === 1 ? '1 policy' : countedExactly(count, 'policie');
}
