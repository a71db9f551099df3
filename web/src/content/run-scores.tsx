import type { ReactNode } from 'react';
import type { BatchItem } from '../api/service.ts';
import { Badge } from '../design/badge.tsx';
import { Score } from '../design/figures.tsx';
import { Visible } from '../design/visible.tsx';

/** The scores of one output. */
export function RunScores({ scores }: { scores: ReadonlyArray<BatchItem['scores'][number]> }): ReactNode {
  if (scores.length === 0) return <p className="text-ink-faint">No scores.</p>;
  return (
    <ul aria-label="Scores" className="flex flex-col gap-1">
      {scores.map(({ evaluator, score, passed, comment }) => (
        <li key={evaluator} className="min-w-0 rounded-md border border-line px-2.5 py-1">
          <span className="flex min-w-0 items-center gap-2">
            <Visible text={evaluator} className="truncate font-medium" />
            <span className="font-semibold">
              <Score value={score} />
            </span>
            {passed !== null && <Badge tone={passed ? 'good' : 'bad'}>{passed ? 'passed' : 'failed'}</Badge>}
          </span>
          {comment !== null && <Visible text={comment} className="block break-words whitespace-pre-wrap text-ink-soft" />}
        </li>
      ))}
    </ul>
  );
}

/** The error of a run item, if it failed. */
export function RunError({ error }: { error: string | true | null }): ReactNode {
  if (error === null) return null;
  return (
    <div role="note" aria-label="Error" className="rounded-md border border-bad/40 bg-bad-soft px-2.5 py-1.5">
      <p className="font-semibold text-bad">Failed</p>
      {error !== true && <Visible text={error.slice(0, 20_000)} className="block break-words whitespace-pre-wrap" />}
    </div>
  );
}
