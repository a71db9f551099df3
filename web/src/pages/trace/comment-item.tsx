import { Check, Ellipsis, Link2, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useCommentActions } from '../../api/comments.ts';
import { membersQuery } from '../../api/members.ts';
import type { Comment } from '../../api/service.ts';
import { MentionNames } from '../../content/mention-names.ts';
import { Badge } from '../../design/badge.tsx';
import { IconButton } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { deferred } from '../../design/deferred.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { Moment } from '../../design/figures.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../design/menu.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible } from '../../design/visible.tsx';
import { formatZoned } from '../../format/time-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { EditComment } from './comment-form.tsx';

const Markdown = deferred(() => import('../../content/markdown.tsx'));

interface CommentItemProps {
  comment: Comment;
  /** The comment that a link has led to. */
  marked: boolean;
}

/** One comment with its actions: resolve for all who may comment, edit for its author, delete for the author and admins. */
export function CommentItem({ comment, marked }: CommentItemProps): ReactNode {
  const { id, traceId, author, body, anchor, createdAt, editedAt, resolvedAt } = comment;
  const [editing, setEditing] = useState(false);
  const item = useRef<HTMLElement>(null);
  useEffect(() => {
    if (marked) item.current?.scrollIntoView({ block: 'nearest' });
  }, [marked]);
  return (
    <article
      ref={item}
      aria-label={`Comment by ${author.name}`}
      aria-current={marked || undefined}
      className={classNames(
        'group/comment flex flex-col gap-1 rounded-md border px-2.5 py-1.5',
        marked ? 'border-accent bg-accent-soft' : 'border-line bg-canvas',
      )}
    >
      <header className="flex items-center gap-1.5">
        <Visible text={author.name} className="min-w-0 truncate font-medium" />
        <span className="flex min-w-0 flex-1 items-center gap-1 text-2xs text-ink-faint">
          <Moment ago iso={createdAt} />
          {editedAt !== null && <span title={formatZoned(editedAt)}>· edited</span>}
        </span>
        {resolvedAt !== null && (
          <Badge tone="good" title={formatZoned(resolvedAt)}>
            resolved
          </Badge>
        )}
        <Actions comment={comment} onEdit={() => setEditing(true)} />
      </header>
      {anchor !== null && <Anchored field={anchor.field} />}
      {editing ? (
        <EditComment traceId={traceId} commentId={id} body={body} onClose={() => setEditing(false)} />
      ) : (
        <Body comment={comment} />
      )}
    </article>
  );
}

/** The contents that a comment is about. */
function Anchored({ field }: { field: 'input' | 'output' }): ReactNode {
  const title = field === 'input' ? 'Input' : 'Output';
  const show = () => document.querySelector(`main [aria-label=${title}]`)?.scrollIntoView({ block: 'start' });
  return (
    <button type="button" onClick={show} className="self-start text-2xs font-medium text-accent hover:underline">
      On {title}
    </button>
  );
}

function Body({ comment: { body, mentions } }: { comment: Comment }): ReactNode {
  const { organization } = useProject();
  const { data } = useQuery({ ...membersQuery(organization.id), enabled: mentions.length > 0 });
  const names = useMemo(() => {
    const mentioned = new Set(mentions);
    const people = (data?.members ?? []).filter(({ userId }) => mentioned.has(userId));
    return new Map(people.map(({ email, name }) => [email.toLowerCase(), name]));
  }, [data, mentions]);
  return (
    <MentionNames value={names}>
      <Markdown text={body} />
    </MentionNames>
  );
}

function Actions({ comment, onEdit }: { comment: Comment; onEdit(): void }): ReactNode {
  const { can, user, projectId } = useProject();
  const { id, traceId, resolvedAt } = comment;
  const { change, remove } = useCommentActions(projectId, traceId);
  const [deleting, setDeleting] = useState(false);
  const say = useToast();
  const isOwn = comment.author.id === user.id;
  const mayWrite = can('comments:write');
  const onError = (error: Error) => say(error.message, 'bad');
  const copy = () => {
    void navigator.clipboard.writeText(linkTo(comment)).then(
      () => say('Link copied'),
      () => say('The link could not be copied', 'bad'),
    );
  };
  return (
    <>
      {mayWrite && (
        <IconButton
          size="small"
          label={resolvedAt === null ? 'Resolve' : 'Reopen'}
          disabled={change.isPending}
          onClick={() => change.mutate({ commentId: id, fields: { resolved: resolvedAt === null } }, { onError })}
        >
          {resolvedAt === null ? <Check aria-hidden /> : <RotateCcw aria-hidden />}
        </IconButton>
      )}
      <Menu
        align="end"
        trigger={
          <IconButton size="small" label="Comment actions">
            <Ellipsis aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={copy}>
          <Link2 aria-hidden />
          Copy link
        </MenuItem>
        {mayWrite && isOwn && (
          <MenuItem onSelect={onEdit}>
            <Pencil aria-hidden />
            Edit
          </MenuItem>
        )}
        {mayWrite && (isOwn || can('connections:manage')) && (
          <>
            <MenuSeparator />
            <MenuItem danger onSelect={() => setDeleting(true)}>
              <Trash2 aria-hidden />
              Delete
            </MenuItem>
          </>
        )}
      </Menu>
      {deleting && (
        <Confirm
          open
          onOpenChange={setDeleting}
          title="Delete this comment?"
          description="The deletion is recorded in the audit log."
          action="Delete"
          busy={remove.isPending}
          error={remove.error?.message ?? null}
          onConfirm={() => remove.mutate(id, { onSuccess: () => say('Comment deleted') })}
        />
      )}
    </>
  );
}

/** The address of the page that shows a comment. */
function linkTo({ id, spanId }: Comment): string {
  const query = new URLSearchParams({ ...(spanId === null ? {} : { span: spanId }), comment: id });
  return `${location.origin}${location.pathname}?${query}`;
}
