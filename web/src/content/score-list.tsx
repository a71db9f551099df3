import type { ReactNode } from 'react';
import type { Score } from '../api/wire.ts';
import { Badge } from '../design/badge.tsx';
import { Moment } from '../design/figures.tsx';
import { Visible } from '../design/visible.tsx';
import { formatScore } from '../format/number-format.ts';
import { LongText } from './long-text.tsx';

const sourceLabels: Readonly<Record<string, string>> = {
  evaluator: 'Automated',
  native: 'API',
  otlp: 'OTLP',
  api: 'API',
  annotation: 'Annotation',
};

/** Scores with their source and time. */
export function ScoreList({ scores }: { scores: readonly Score[] }): ReactNode {
  if (scores.length === 0) return null;
  return (
    <section aria-label="Scores">
      <h3 className="mb-1 text-xs font-semibold text-ink-soft">Scores</h3>
      <ul className="flex flex-col gap-1">
        {scores.map((score) => (
          <li key={score.scoreId} className="rounded-md border border-line px-2.5 py-1.5">
            <span className="flex flex-wrap items-center gap-x-2">
              <Visible text={score.evaluator} className="font-medium" />
              <span className="numbers font-semibold">{formatScore(score.score)}</span>
              {score.passed !== null && <Badge tone={score.passed ? 'good' : 'bad'}>{score.passed ? 'passed' : 'failed'}</Badge>}
              {score.label !== null && (
                <Badge>
                  <Visible text={score.label} />
                </Badge>
              )}
              <span className="ml-auto text-2xs text-ink-faint">
                <Recorder score={score} /> · <Moment ago iso={score.timestamp} />
              </span>
            </span>
            {score.comment !== null && (
              <div className="text-ink-soft">
                <LongText text={score.comment} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Recorder({ score: { recordedBy, source } }: { score: Score }): ReactNode {
  if (recordedBy === undefined) return <>{sourceLabels[source] ?? source}</>;
  return (
    <>
      {recordedBy.type === 'api_key' ? 'API key ' : 'by '}
      <Visible text={recordedBy.name} />
    </>
  );
}
