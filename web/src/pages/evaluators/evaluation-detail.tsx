import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Evaluation } from '../../api/service.ts';
import { LongText } from '../../content/long-text.tsx';
import { IconButton } from '../../design/button.tsx';
import { Moment } from '../../design/figures.tsx';
import { usePageKeys } from '../../design/use-page-keys.ts';
import { VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { ScoreCell, StatusBadge, TargetLink, UsageCell } from './evaluation-cells.tsx';
import { targetTypeLabels } from './evaluations-search.ts';

/** The details of one evaluation. */
export function EvaluationDetail({ evaluation, onClose }: { evaluation: Evaluation; onClose(): void }): ReactNode {
  const { at } = useProject();
  usePageKeys({ Escape: onClose });
  const { createdAt, startedAt, finishedAt, target } = evaluation;
  const moment = (iso: string | null) => (iso === null ? '–' : <Moment iso={iso} />);
  const facts: ReadonlyArray<[string, ReactNode]> = [
    ['Status', <StatusBadge key="s" status={evaluation.status} />],
    ['Score', <ScoreCell key="c" score={evaluation.score} passed={evaluation.passed} />],
    [targetTypeLabels[target.type], <TargetLink key="t" target={target} />],
    ['Judge usage', <UsageCell key="u" usage={evaluation.usage} />],
    ['Attempts', evaluation.attempts],
    ['Queued', moment(createdAt)],
    ['Started', moment(startedAt)],
    ['Finished', moment(finishedAt)],
  ];
  return (
    <section
      aria-label="Evaluation"
      className="scroll-thin flex shrink-0 max-lg:fixed max-lg:inset-0 max-lg:z-30 lg:w-96 flex-col overflow-auto border-l border-line bg-surface"
    >
      <header className="flex items-center gap-2 border-b border-line px-3 py-1.5">
        <h2 className="min-w-0 flex-1 font-semibold">
          <Link {...pages.evaluator(at, evaluation.evaluatorId)} className="hover:text-accent hover:underline">
            <VisibleLine text={evaluation.evaluator} />
          </Link>
        </h2>
        <IconButton label="Close" onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </header>
      <div className="flex flex-col gap-3 p-3">
        <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-3 gap-y-1.5">
          {facts.map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="text-xs text-ink-faint">{label}</dt>
              <dd className="truncate">{value}</dd>
            </div>
          ))}
        </dl>
        {evaluation.error !== null && (
          <Note title="Error of the last attempt" bad>
            {evaluation.error}
          </Note>
        )}
        {evaluation.comment !== null && <Note title="Comment">{evaluation.comment}</Note>}
      </div>
    </section>
  );
}

function Note({ title, bad = false, children }: { title: string; bad?: boolean; children: string }): ReactNode {
  return (
    <div
      className={bad ? 'rounded-md border border-bad/40 bg-bad-soft px-2.5 py-2' : 'rounded-md border border-line px-2.5 py-2'}
    >
      <h3 className={bad ? 'text-xs font-semibold text-bad' : 'text-xs font-semibold text-ink-soft'}>{title}</h3>
      <LongText text={children} />
    </div>
  );
}
