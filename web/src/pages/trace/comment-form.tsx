import { Quote, X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { useCommentActions } from '../../api/comments.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { Button } from '../../design/button.tsx';
import { ErrorText } from '../../design/error-text.tsx';
import { useProject } from '../../frame/project-context.ts';
import { draftOf, keepDraft } from './comment-drafts.ts';
import type { CommentDraft } from './comment-drafts.ts';
import { CommentText } from './comment-text.tsx';
import { quoted } from './mention-text.ts';
import { useSelectedText } from './use-selected-text.ts';

const fieldTitles = { input: 'Input', output: 'Output' } as const;

interface NewCommentProps {
  traceId: string;
  /** null: on the trace as a whole. */
  spanId: string | null;
}

/** A form for a comment. A text that is selected in input or output can be quoted. Keyed by its target. */
export function NewComment({ traceId, spanId }: NewCommentProps): ReactNode {
  const { projectId } = useProject();
  const { write } = useCommentActions(projectId, traceId);
  const target = `${projectId} ${traceId} ${spanId ?? ''}`;
  const [draft, setDraft] = useState(() => draftOf(target));
  const form = useRef<HTMLFormElement>(null);
  const selected = useSelectedText();
  const { text, field } = draft;
  const keep = (next: CommentDraft) => {
    setDraft(next);
    keepDraft(target, next);
  };
  const quote = () => {
    if (!selected) return;
    const before = text === '' || text.endsWith('\n') ? text : `${text}\n\n`;
    keep({ text: before + quoted(selected.text), field: selected.field });
    form.current?.querySelector('textarea')?.focus();
  };
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() === '') return;
    write.mutate(
      { spanId, body: text, ...(field === null ? {} : { anchor: { field } }) },
      { onSuccess: () => keep({ text: '', field: null }) },
    );
  };
  const errors = fieldErrors(write.error);
  return (
    <form ref={form} onSubmit={submit} className="flex flex-col gap-1.5">
      <CommentText
        label={spanId === null ? 'Comment on the trace' : 'Comment on the span'}
        value={text}
        onText={(next) => keep({ text: next, field })}
        onSend={submit}
        onLeave={() => form.current?.querySelector('textarea')?.blur()}
        error={errors.at('/body') ?? null}
      />
      <ErrorText text={errors.rest(['/body'])} />
      <div className="flex flex-wrap items-center gap-1.5">
        <Button look="primary" size="small" type="submit" busy={write.isPending} disabled={text.trim() === ''} title="Ctrl Enter">
          Comment
        </Button>
        {selected && (
          // The selection must stay until it is quoted.
          <Button size="small" look="quiet" onMouseDown={(event) => event.preventDefault()} onClick={quote}>
            <Quote aria-hidden />
            Quote selection
          </Button>
        )}
        {field !== null && (
          <button
            type="button"
            onClick={() => keep({ text, field: null })}
            className="flex items-center gap-1 rounded bg-sunken px-1.5 py-0.5 text-2xs text-ink-soft hover:text-ink"
            aria-label={`On ${fieldTitles[field]}: remove`}
          >
            On {fieldTitles[field]} <X className="size-3" aria-hidden />
          </button>
        )}
      </div>
    </form>
  );
}

interface EditCommentProps {
  traceId: string;
  commentId: string;
  body: string;
  onClose(): void;
}

/** Changes the text of a comment. */
export function EditComment({ traceId, commentId, body, onClose }: EditCommentProps): ReactNode {
  const { projectId } = useProject();
  const { change } = useCommentActions(projectId, traceId);
  const [text, setText] = useState(body);
  const errors = fieldErrors(change.error);
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() === '') return;
    if (text === body) onClose();
    else change.mutate({ commentId, fields: { body: text } }, { onSuccess: onClose });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-1.5">
      <CommentText
        label="Edit comment"
        value={text}
        onText={setText}
        onSend={submit}
        onLeave={onClose}
        error={errors.at('/body') ?? null}
        focused
      />
      <ErrorText text={errors.rest(['/body'])} />
      <div className="flex gap-1.5">
        <Button look="primary" size="small" type="submit" busy={change.isPending} disabled={text.trim() === ''}>
          Save
        </Button>
        <Button size="small" look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
