import { ThumbsDown, ThumbsUp } from 'lucide-react';
import { useRef } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { fieldErrors } from '../api/field-errors.ts';
import type { useRecordScore } from '../api/scores.ts';
import type { Score } from '../api/service.ts';
import { Button } from '../design/button.tsx';
import { ErrorText } from '../design/error-text.tsx';
import { TextArea } from '../design/field.tsx';
import { usePageKeys } from '../design/use-page-keys.ts';
import { NumberScore } from './number-score.tsx';
import { useCommentDraft } from './use-comment-draft.ts';

/** Kind of score: pass or fail, or a number. */
export type ScoreStyle = 'verdict' | 'number';

export interface QueuePlace {
  /** Since when the trace is on the screen (usePainted); null while it is not. */
  since: number | null;
  /** The viewer has skipped the trace, and the next one is not known yet. */
  leaving: boolean;
}

interface ScoreFormProps {
  projectId: string;
  userId: string;
  traceId: string;
  /** The scored span; null for the trace. */
  spanId: string | null;
  /** The scores of the trace. The viewer's own score is updated. */
  scores: readonly Score[];
  /** The evaluator's slug. */
  slug: string;
  style: ScoreStyle;
  record: ReturnType<typeof useRecordScore>;
  /** The place in a queue, which continues with the next trace after a score. Enables the page shortcuts p, f and c. */
  queue?: QueuePlace;
  onRecorded(): void;
}

/** The viewer's existing score of a trace or span by evaluator slug. */
export function ownScore(
  scores: readonly Score[],
  { userId, slug, spanId }: { userId: string; slug: string; spanId: string | null },
): Score | undefined {
  return scores.findLast(
    ({ source, recordedBy, evaluator, spanId: of }) =>
      source === 'annotation' && recordedBy?.id === userId && evaluator === slug && of === spanId,
  );
}

/** A form for a score with a comment. An existing score of the viewer is updated. */
export function ScoreForm(props: ScoreFormProps): ReactNode {
  const { projectId, userId, traceId, spanId, scores, slug, style, record, queue, onRecorded } = props;
  const own = ownScore(scores, { userId, slug, spanId });
  const draft = useCommentDraft(`${traceId}/${spanId ?? ''}`, queue?.leaving ?? false);
  const comment = draft.text ?? own?.comment ?? '';
  const commentBox = useRef<HTMLTextAreaElement>(null);
  const since = queue ? queue.since : 0;
  const closed = record.isPending || since === null;
  const save = (score: number, passed?: boolean) => {
    if (closed) return;
    if (queue) draft.advance();
    record.mutate(
      {
        traceId,
        evaluator: slug,
        score,
        ...(passed === undefined ? {} : { passed }),
        ...(spanId === null ? {} : { spanId }),
        ...(own === undefined ? {} : { scoreId: own.scoreId }),
        ...(comment.trim() === '' ? {} : { comment: comment.trim() }),
      },
      { onSuccess: onRecorded, onError: draft.restore },
    );
  };
  const verdict = (passed: boolean) => save(passed ? 1 : 0, passed);
  usePageKeys(queue && style === 'verdict' ? { p: () => verdict(true), f: () => verdict(false) } : {}, since ?? Infinity);
  usePageKeys(queue ? { c: () => commentBox.current?.focus() } : {});
  const errors = fieldErrors(record.variables?.traceId === traceId ? record.error : null);
  const rest = errors.rest(['/comment', '/score']);
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    commentBox.current?.blur();
  };
  return (
    <div className="flex flex-col gap-2">
      <TextArea
        ref={commentBox}
        label="Comment"
        rows={2}
        placeholder={queue ? 'Optional (C to focus, Esc to leave)' : 'Optional'}
        value={comment}
        onChange={(event) => draft.write(event.target.value)}
        onKeyDown={leave}
        error={errors.at('/comment')}
      />
      {style === 'verdict' ? (
        <div role="group" aria-label="Verdict" className="grid grid-cols-2 gap-2">
          <Button
            pressed={own?.passed === true}
            disabled={closed}
            onClick={() => verdict(true)}
            aria-keyshortcuts={queue ? 'p' : undefined}
          >
            <ThumbsUp aria-hidden />
            Pass
            {queue && <Key>P</Key>}
          </Button>
          <Button
            pressed={own?.passed === false}
            pressedTone="bad"
            disabled={closed}
            onClick={() => verdict(false)}
            aria-keyshortcuts={queue ? 'f' : undefined}
          >
            <ThumbsDown aria-hidden />
            Fail
            {queue && <Key>F</Key>}
          </Button>
        </div>
      ) : (
        <NumberScore
          {...{ projectId, slug }}
          subject={traceId}
          initial={own?.score ?? null}
          busy={record.isPending}
          closed={closed}
          focused={queue !== undefined}
          error={errors.at('/score')}
          onScore={(score) => save(score)}
        />
      )}
      <ErrorText text={rest} />
    </div>
  );
}

/** A keyboard key. */
export function Key({ children }: { children: string }): ReactNode {
  return <kbd className="rounded border border-line-strong/60 px-1 font-sans text-2xs text-ink-soft">{children}</kbd>;
}
