import { useState } from 'react';
import type { ReactNode } from 'react';
import { useApplyPolicies } from '../../api/policies.ts';
import type { PolicyApplied, PolicyFile, PolicyPlan } from '../../api/policies.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Visible } from '../../design/visible.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { planText } from './policy-words.ts';
import { refusalOf } from './refusal.ts';
import type { Refusal } from './refusal.ts';

interface ApplyDialogProps {
  plan: PolicyPlan;
  files: readonly PolicyFile[];
  onClose(): void;
  onPlanAgain(): void;
  onApplied(applied: PolicyApplied): void;
}

/** Confirms an apply. Removals are named and confirmed on their own. */
export function ApplyDialog({ plan, files, onClose, onPlanAgain, onApplied }: ApplyDialogProps): ReactNode {
  const { projectId, project } = useProject();
  const apply = useApplyPolicies(projectId);
  const [allowRemoval, setAllowRemoval] = useState(false);
  const removals = plan.changes.filter(({ action }) => action === 'remove');
  const refusal = refusalOf(apply.error);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Apply the plan?"
      description={
        <>
          {planText(plan)}, in <Visible text={project.name} className="font-medium" />. Everything is applied at once, or nothing.
        </>
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {refusal?.planAgain === true ? (
            <Button look="primary" onClick={onPlanAgain}>
              Plan again
            </Button>
          ) : (
            <Button
              look={removals.length > 0 ? 'danger' : 'primary'}
              busy={apply.isPending}
              disabled={removals.length > 0 && !allowRemoval}
              onClick={() => apply.mutate({ planId: plan.planId, files, allowRemoval }, { onSuccess: onApplied })}
            >
              Apply
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {removals.length > 0 && (
          <div role="group" aria-label="Removal" className="rounded-md border border-bad/40 bg-bad-soft px-3 py-2">
            <p className="font-medium text-bad">Will be removed, since no file names them:</p>
            <ul aria-label="Removals" className="scroll-thin max-h-48 overflow-auto" tabIndex={0}>
              {removals.map(({ kind, name }) => (
                <li key={`${kind} ${name}`} className="break-words">
                  {kind} <Visible text={name} className="font-medium" />
                </li>
              ))}
            </ul>
            <label className="mt-2 flex items-center gap-2">
              <input type="checkbox" checked={allowRemoval} onChange={(event) => setAllowRemoval(event.target.checked)} />
              Remove {countedExactly(removals.length, removals.length === 1 ? 'policy' : 'policie')}
            </label>
          </div>
        )}
        {refusal ? <RefusalNote refusal={refusal} /> : apply.error && <ErrorNote message={apply.error.message} />}
      </div>
    </Dialog>
  );
}

function ErrorNote({ message }: { message: string }): ReactNode {
  return (
    <p role="alert" className="text-bad">
      <Visible text={message} />
    </p>
  );
}

function RefusalNote({ refusal: { title, advice, items } }: { refusal: Refusal }): ReactNode {
  return (
    <div role="alert" className="rounded-md border border-bad/40 bg-bad-soft px-3 py-2">
      <p className="font-semibold text-bad">{title}</p>
      {items.length > 0 && (
        <ul className="my-1 list-disc pl-5">
          {items.map((item) => (
            <li key={item} className="break-words">
              <Visible text={item} />
            </li>
          ))}
        </ul>
      )}
      <p>{advice}</p>
      <p className="text-ink-soft">Nothing was changed.</p>
    </div>
  );
}
