import type { ReactNode } from 'react';
import type { Score } from '../../api/wire.ts';
import { Badge } from '../../design/badge.tsx';
import { Visible } from '../../design/visible.tsx';
import { formatScore } from '../../format/number-format.ts';

/** What evaluators and people said. */
export function Scores({ scores }: { scores: readonly Score[] }): ReactNode {
  if (scores.length === 0) return null;
  return (
    <section aria-label="Scores">
      <h3 className="mb-1 text-xs font-semibold text-ink-soft">Scores</h3>
      <ul className="flex flex-col gap-1">
        {scores.map((score) => (
          <li key={score.scoreId} className="rounded-md border border-line px-2.5 py-1.5">
            <span className="flex items-center gap-2">
              <Visible text={score.evaluator} className="font-medium" />
              <span className="numbers font-semibold">{formatScore(score.score)}</span>
              {score.passed !== null && <Badge tone={score.passed ? 'good' : 'bad'}>{score.passed ? 'passed' : 'failed'}</Badge>}
              {score.label !== null && (
                <Badge>
                  <Visible text={score.label} />
                </Badge>
              )}
            </span>
            {score.comment !== null && (
              <Visible text={score.comment} className="block break-words whitespace-pre-wrap text-ink-soft" />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
