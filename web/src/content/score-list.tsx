import type { ReactNode } from 'react';
import type { Score } from '../api/service.ts';
import { Badge } from '../design/badge.tsx';
import { Moment, Score as ScoreFigure } from '../design/figures.tsx';
import { Visible } from '../design/visible.tsx';
import { countedExactly } from '../format/number-format.ts';
import { LongText } from './long-text.tsx';
import { scoreGroups } from './score-groups.ts';
import type { ScoreGroup } from './score-groups.ts';

const sourceLabels: Readonly<Record<string, string>> = {
  evaluator: 'Automated',
  native: 'API',
  otlp: 'OTLP',
  api: 'API',
  annotation: 'Annotation',
};

interface ScoreListProps {
  /** The scores of a trace, or of one span. */
  scores: readonly Score[];
  /** The scores of a trace's spans. */
  ofSpans?: readonly Score[];
  /** The name of a span. */
  spanName?(spanId: string): string;
  /** Opens a span. */
  onSpan?(spanId: string): void;
  /** What stands at the end of a score, such as buttons to change it. */
  action?(score: Score): ReactNode;
}

/** Scores by evaluator, with their source and time. Several scores of an evaluator are folded under their mean. */
export function ScoreList({ scores, ofSpans = [], ...open }: ScoreListProps): ReactNode {
  if (scores.length + ofSpans.length === 0) return null;
  return (
    <section aria-label="Scores">
      {scores.length > 0 && <Group title="Scores" scores={scores} {...open} />}
      {ofSpans.length > 0 && <Group title="Scores of spans" scores={ofSpans} {...open} />}
    </section>
  );
}

type OpenSpan = Pick<ScoreListProps, 'spanName' | 'onSpan' | 'action'>;

function Group({ title, scores, ...open }: OpenSpan & { title: string; scores: readonly Score[] }): ReactNode {
  const groups = scoreGroups(scores);
  return (
    <>
      <h3 className="mb-1 text-xs font-semibold text-ink-soft not-first:mt-2">{title}</h3>
      <ul aria-label={title} className="flex flex-col gap-1">
        {groups.map((group) => (
          <li key={group.evaluator} className="rounded-md border border-line px-2.5 py-1.5">
            {group.scores[0] !== undefined && group.scores.length === 1 ? (
              <Entry score={group.scores[0]} evaluator={group.evaluator} {...open} />
            ) : (
              <Several group={group} {...open} />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function Several({ group, ...open }: OpenSpan & { group: ScoreGroup }): ReactNode {
  const { evaluator, scores, mean, passed, judged } = group;
  return (
    <details>
      <summary className="cursor-pointer">
        <span className="inline-flex max-w-[calc(100%-1rem)] flex-wrap items-center gap-x-2 align-top">
          <Visible text={evaluator} className="font-medium" />
          {mean !== null && (
            <span className="font-semibold">
              <ScoreFigure value={mean} note="Mean score" />
            </span>
          )}
          {judged > 0 && (
            <Badge tone={passed === judged ? 'good' : 'bad'}>
              {passed} of {judged} passed
            </Badge>
          )}
          <span className="text-2xs text-ink-faint">{countedExactly(scores.length, 'score')}</span>
        </span>
      </summary>
      <ul className="mt-1 flex flex-col">
        {scores.map((score) => (
          <li key={score.scoreId} className="border-t border-line py-1">
            <Entry score={score} {...open} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** One score. @param evaluator left out where it stands above */
function Entry({ score, evaluator, spanName, onSpan, action }: OpenSpan & { score: Score; evaluator?: string }): ReactNode {
  const { spanId } = score;
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2">
        {evaluator !== undefined && <Visible text={evaluator} className="font-medium" />}
        {score.score !== null && (
          <span className="font-semibold">
            <ScoreFigure value={score.score} />
          </span>
        )}
        {score.passed !== null && <Badge tone={score.passed ? 'good' : 'bad'}>{score.passed ? 'passed' : 'failed'}</Badge>}
        {score.label !== null && (
          <Badge>
            <Visible text={score.label} />
          </Badge>
        )}
        {spanId !== null && onSpan && (
          <button type="button" className="min-w-0 truncate text-accent hover:underline" onClick={() => onSpan(spanId)}>
            <Visible text={spanName?.(spanId) ?? spanId} />
          </button>
        )}
        <span className="ml-auto text-2xs text-ink-faint">
          <Recorder score={score} /> · <Moment ago iso={score.timestamp} />
        </span>
        {action?.(score)}
      </span>
      {score.comment !== null && (
        <div className="text-ink-soft">
          <LongText text={score.comment} />
        </div>
      )}
    </>
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
