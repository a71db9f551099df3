import { useState } from 'react';
import type { ReactNode } from 'react';
import type { PlannedChange, PolicyApplied, PolicyFile, PolicyPlan } from '../../api/policies.ts';
import { moreElements, ShowMore } from '../../content/show-more.tsx';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { Moment } from '../../design/figures.tsx';
import { useProject } from '../../frame/project-context.ts';
import { ApplyDialog } from './apply-dialog.tsx';
import { PlannedRow } from './planned-row.tsx';
import { changesAnything, planText } from './policy-words.ts';
import { ReplayView } from './replay-view.tsx';
import { removedEnvironments } from './used-environments.ts';
import { UsedNote } from './used-note.tsx';

/** Rows shown at first, and added by each click. */
const rowStep = 200;

interface PlanViewProps {
  plan: PolicyPlan;
  files: readonly PolicyFile[];
  onPlanAgain(): void;
  onApplied(applied: PolicyApplied): void;
}

/** A plan: its changes, its replay, and the button that applies it. */
export function PlanView({ plan, files, onPlanAgain, onApplied }: PlanViewProps): ReactNode {
  const { can } = useProject();
  const [isAsking, setIsAsking] = useState(false);
  const changes = plan.changes.filter(({ action, adopt, detached }) => action !== 'none' || adopt || detached);
  const detached = plan.changes.filter((change) => change.detached).length;
  const unchanged = plan.changes.filter((change) => !changes.includes(change));
  const again = () => {
    setIsAsking(false);
    onPlanAgain();
  };
  return (
    <>
      <Card
        title={`Plan: ${planText(plan)}`}
        aside={
          <span className="text-xs text-ink-faint">
            Based on revision {plan.revision}, valid until <Moment iso={plan.expiresAt} />
          </span>
        }
      >
        {detached > 0 && (
          <p role="note" className="border-b border-line bg-warn-soft px-3 py-2 text-warn">
            {detached === 1 ? 'A policy in the files was' : `${detached} policies in the files were`} detached. The apply will be
            refused until {detached === 1 ? 'it is' : 'they are'} attached on the Policies tab or removed from the files.
          </p>
        )}
        {removedEnvironments(changes).length > 0 && <UsedNote changes={changes} />}
        {changes.length === 0 ? (
          <p className="px-3 py-3 text-ink-soft">The project already matches the files.</p>
        ) : (
          <Rows label="Planned changes" changes={changes} />
        )}
        {unchanged.length > 0 && (
          <details className="border-t border-line">
            <summary className="px-3 py-1.5 text-ink-soft">{unchanged.length} unchanged</summary>
            <Rows label="Unchanged policies" changes={unchanged} />
          </details>
        )}
      </Card>
      {plan.replay && <ReplayView replay={plan.replay} />}
      <div className="flex flex-wrap items-center gap-3">
        {can('policy:apply') ? (
          <>
            <Button look="primary" onClick={() => setIsAsking(true)}>
              Apply…
            </Button>
            {!changesAnything(plan) && (
              <span className="text-ink-faint">Applying stores the files and changes nothing else.</span>
            )}
          </>
        ) : (
          <p role="note" className="text-ink-soft">
            Applying requires the permission <code className="font-mono">policy:apply</code>. Ask an owner or admin.
          </p>
        )}
      </div>
      {isAsking && (
        <ApplyDialog plan={plan} files={files} onClose={() => setIsAsking(false)} onPlanAgain={again} onApplied={onApplied} />
      )}
    </>
  );
}

function Rows({ label, changes }: { label: string; changes: readonly PlannedChange[] }): ReactNode {
  const [count, setCount] = useState(rowStep);
  return (
    <>
      <ul aria-label={label}>
        {changes.slice(0, count).map((change) => (
          <PlannedRow key={`${change.kind} ${change.name}`} change={change} />
        ))}
      </ul>
      {changes.length > count && (
        <div className="px-3 pb-2">
          <ShowMore label={moreElements(changes.length - count, rowStep, 'changes')} onMore={() => setCount(count + rowStep)} />
        </div>
      )}
    </>
  );
}
