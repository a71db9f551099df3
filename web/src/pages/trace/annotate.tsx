import { PenLine } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ComponentProps, KeyboardEvent, ReactNode } from 'react';
import { useRecordScore } from '../../api/scores.ts';
import type { Score } from '../../api/service.ts';
import { ScoreForm } from '../../content/score-form.tsx';
import type { ScoreStyle } from '../../content/score-form.tsx';
import { ScoreList } from '../../content/score-list.tsx';
import { SlugInput } from '../../content/slug-input.tsx';
import { Button } from '../../design/button.tsx';
import { Segments } from '../../design/segments.tsx';
import { useToast } from '../../design/toast.tsx';
import { useProject } from '../../frame/project-context.ts';
import { lastEvaluator, rememberEvaluator } from '../../last-evaluator.ts';
import { ScoreActions } from './score-actions.tsx';

interface AnnotateProps {
  traceId: string;
  /** The scored span; null for the trace. */
  spanId: string | null;
  /** The scores of the span, or of the trace itself. */
  scores: readonly Score[];
}

const scoreActions = (score: Score): ReactNode => <ScoreActions score={score} />;

/** The scores of a trace or a span, with a form to add one. The rest of the properties are those of ScoreList. */
export function Annotate({
  traceId,
  spanId,
  scores,
  ...list
}: AnnotateProps & Omit<ComponentProps<typeof ScoreList>, 'scores'>): ReactNode {
  const { can } = useProject();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(open);
  useEffect(() => {
    if (wasOpen.current && !open) button.current?.focus();
    wasOpen.current = open;
  }, [open]);
  return (
    <div className="flex flex-col gap-2">
      <ScoreList scores={scores} {...list} action={scoreActions} />
      {can('evaluations:manage') &&
        (open ? (
          <NewScore {...{ traceId, spanId, scores }} onClose={() => setOpen(false)} />
        ) : (
          <div>
            <Button ref={button} size="small" onClick={() => setOpen(true)}>
              <PenLine aria-hidden />
              {spanId === null ? 'Score trace' : 'Score span'}
            </Button>
          </div>
        ))}
    </div>
  );
}

function NewScore({ traceId, spanId, scores, onClose }: AnnotateProps & { onClose(): void }): ReactNode {
  const { projectId, user } = useProject();
  const say = useToast();
  const record = useRecordScore(projectId);
  const [slug, setSlug] = useState(lastEvaluator);
  const [style, setStyle] = useState<ScoreStyle>('verdict');
  const form = useRef<HTMLElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  // Before the fields, which keep it from the page. The first one leaves a comment, so that no text is lost.
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    if (event.target instanceof HTMLTextAreaElement && event.target.value !== '') form.current?.focus();
    else onClose();
  };
  const choose = (next: string) => {
    setSlug(next);
    rememberEvaluator(next);
  };
  return (
    <section
      ref={form}
      tabIndex={-1}
      onKeyDownCapture={leave}
      aria-label={spanId === null ? 'Score trace' : 'Score span'}
      className="flex flex-col gap-2 rounded-md border border-line bg-canvas p-2.5"
    >
      <div className="flex items-end gap-2">
        <SlugInput projectId={projectId} value={slug} onSlug={choose} className="flex-1" />
        <Segments<ScoreStyle>
          label="Score as"
          value={style}
          options={[
            { value: 'verdict', label: 'Pass or fail' },
            { value: 'number', label: 'Number' },
          ]}
          onValue={setStyle}
        />
      </div>
      <ScoreForm
        {...{ projectId, traceId, spanId, scores, slug, style, record }}
        userId={user.id}
        onRecorded={() => {
          say('Score saved');
          onClose();
        }}
      />
      <div>
        <Button size="small" look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </section>
  );
}
