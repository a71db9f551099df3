import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { unreadMentionsQuery, useReadMentions } from '../../api/comments.ts';
import { failureOf } from '../../api/failure-of.ts';
import type { WholeOutline } from '../../api/parts.ts';
import type { Comment } from '../../api/service.ts';
import { IconButton } from '../../design/button.tsx';
import { Failure, Skeleton } from '../../design/states.tsx';
import { usePageKeys } from '../../design/use-page-keys.ts';
import { VisibleLine } from '../../design/visible.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { NewComment } from './comment-form.tsx';
import { commentGroups } from './comment-groups.ts';
import type { CommentGroup } from './comment-groups.ts';
import { CommentItem } from './comment-item.tsx';

interface CommentsPanelProps {
  detail: WholeOutline;
  query: UseQueryResult<Comment[]>;
  /** The selected span; null: the trace. */
  selected: string | null;
  /** The comment that is shown; null: none in particular. */
  comment: string | null;
  /** Puts the cursor into the form at first. */
  writing: boolean;
  onSelect(spanId: string | null): void;
  onClose(): void;
}

/** The comments of a trace beside it: those on what is selected with a form for another one, and the others below. */
export function CommentsPanel(props: CommentsPanelProps): ReactNode {
  const { detail, query, selected, comment, writing, onSelect, onClose } = props;
  const { can } = useProject();
  const panel = useRef<HTMLElement>(null);
  // With a span, its own Escape closes this panel first.
  usePageKeys(selected === null ? { Escape: onClose } : {});
  useRead(query.data);
  useEffect(() => {
    if (writing) panel.current?.querySelector('textarea')?.focus();
    // Only when it opens.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  const { traceId } = detail.trace;
  const groups = commentGroups(query.data ?? [], detail.spans);
  const own = groups.find(({ spanId }) => spanId === selected);
  const others = groups.filter((group) => group !== own);
  const span = detail.spans.find(({ spanId }) => spanId === selected);
  return (
    <section
      ref={panel}
      aria-label="Comments"
      // Over the trace where it would leave too little of it.
      className="flex shrink-0 flex-col border-l border-line bg-surface max-xl:fixed max-xl:inset-y-0 max-xl:right-0 max-xl:z-30 max-xl:shadow-high max-lg:left-0 lg:w-80"
    >
      <header className="flex min-h-10 items-center gap-1.5 border-b border-line py-1 pr-1.5 pl-3">
        <h2 className="flex min-w-0 flex-1 items-baseline gap-1.5 font-semibold">
          Comments
          <VisibleLine text={span ? `on ${span.name}` : 'on the trace'} className="min-w-0 text-xs font-normal text-ink-faint" />
        </h2>
        <IconButton label="Close comments" onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </header>
      <div className="scroll-thin flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-3">
        {failureOf(query) ? (
          <Failure error={query.error} what="Comments" onRetry={() => void query.refetch()} />
        ) : query.data === undefined ? (
          <Skeleton className="h-24" />
        ) : (
          <>
            {own ? (
              <Thread group={own} comment={comment} />
            ) : (
              <p className="text-xs text-ink-faint">
                {selected === null ? 'No comments on the trace.' : 'No comments on this span.'}
              </p>
            )}
            {can('comments:write') ? (
              <NewComment key={selected} traceId={traceId} spanId={selected} />
            ) : (
              <p className="text-xs text-ink-faint">Your role can read comments, not write them.</p>
            )}
            {others.length > 0 && <Others groups={others} onSelect={onSelect} />}
          </>
        )}
      </div>
    </section>
  );
}

/** Marks the viewer's mentions in comments that are on the screen as read. */
function useRead(comments: readonly Comment[] | undefined): void {
  const unread = useQuery(unreadMentionsQuery).data?.mentions;
  const { mutate } = useReadMentions();
  const ids = (unread ?? []).flatMap(({ commentId }) => (comments?.some(({ id }) => id === commentId) ? [commentId] : []));
  const seen = ids.join(' ');
  useEffect(() => {
    if (seen !== '') mutate(seen.split(' '));
    // Only when others are seen.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [seen]);
}

/** The comments on one span or on the trace; resolved ones are folded. */
function Thread({ group: { comments }, comment }: { group: CommentGroup; comment: string | null }): ReactNode {
  const open = comments.filter(({ resolvedAt }) => resolvedAt === null);
  const resolved = comments.filter(({ resolvedAt }) => resolvedAt !== null);
  const list = (shown: readonly Comment[]) => (
    <ul className="flex flex-col gap-2">
      {shown.map((one) => (
        <li key={one.id}>
          <CommentItem comment={one} marked={one.id === comment} />
        </li>
      ))}
    </ul>
  );
  return (
    <div className="flex flex-col gap-2">
      {resolved.length > 0 && (
        <details open={resolved.some(({ id }) => id === comment)}>
          <summary className="cursor-pointer text-xs text-ink-faint hover:text-ink">{resolved.length} resolved</summary>
          <div className="mt-2">{list(resolved)}</div>
        </details>
      )}
      {open.length > 0 && list(open)}
    </div>
  );
}

/** What else is commented in the trace; each leads there. */
function Others({ groups, onSelect }: { groups: readonly CommentGroup[]; onSelect(spanId: string | null): void }): ReactNode {
  return (
    <section aria-label="Elsewhere in this trace" className="flex flex-col gap-1 border-t border-line pt-3">
      <h3 className="text-xs font-semibold text-ink-soft">Elsewhere in this trace</h3>
      <ul className="flex flex-col gap-1">
        {groups.map(({ spanId, name, comments }) => {
          const open = comments.filter(({ resolvedAt }) => resolvedAt === null).length;
          return (
            <li key={spanId}>
              <button
                type="button"
                onClick={() => onSelect(spanId)}
                className="flex w-full min-w-0 items-baseline gap-2 rounded-md px-1.5 py-1 text-left hover:bg-hover"
              >
                <VisibleLine text={name} className="min-w-0 flex-1 font-medium text-accent" />
                <span className="shrink-0 text-2xs text-ink-faint">
                  {open > 0 ? countedExactly(open, 'comment') : `${comments.length} resolved`}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
