import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { AtSign, CheckCheck } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { maxUnreadCount, mentionsQuery, unreadMentionsQuery, useReadMentions } from '../api/comments.ts';
import { sessionQuery } from '../api/session.ts';
import type { CurrentSession, Mention } from '../api/service.ts';
import { buttonClass } from '../design/button.tsx';
import { classNames } from '../design/class-names.ts';
import { Moment } from '../design/figures.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../design/menu.tsx';
import { Visible, VisibleLine } from '../design/visible.tsx';
import { pages } from '../paths.ts';
import type { ProjectPath } from '../paths.ts';

/** Where a project's pages are, with its name; null for one that the viewer has lost. */
function placeOf(session: CurrentSession | undefined, projectId: string): { at: ProjectPath; name: string } | null {
  for (const organization of session?.organizations ?? []) {
    const project = organization.projects.find(({ id }) => id === projectId);
    if (project) return { at: { org: organization.slug, project: project.slug }, name: project.name };
  }
  return null;
}

/** The comments that mention the viewer, with the number of unread ones. Opening one leads to it. */
export function MentionsMenu(): ReactNode {
  const [open, setOpen] = useState(false);
  const unread = useQuery(unreadMentionsQuery).data?.mentions.length ?? 0;
  const count = unread > maxUnreadCount ? `${maxUnreadCount}+` : String(unread);
  const label = unread === 0 ? 'Mentions' : `Mentions: ${count} unread`;
  return (
    <Menu
      onOpenChange={setOpen}
      trigger={
        <button type="button" aria-label={label} title={label} className={classNames(buttonClass('quiet'), 'relative w-8 px-0!')}>
          <AtSign aria-hidden />
          {unread > 0 && (
            <span
              aria-hidden
              className="numbers absolute -top-0.5 -right-0.5 rounded-full bg-accent px-1 text-2xs leading-3.5 font-semibold text-accent-ink"
            >
              {count}
            </span>
          )}
        </button>
      }
    >
      {open && <MentionList unread={unread} />}
    </Menu>
  );
}

function MentionList({ unread }: { unread: number }): ReactNode {
  const navigate = useNavigate();
  const session = useQuery(sessionQuery).data;
  const { data, error } = useQuery(mentionsQuery);
  const read = useReadMentions();
  if (!data) return <MenuLabel>{error ? error.message : 'Loading…'}</MenuLabel>;
  const shown = data.mentions.flatMap((mention) => {
    const place = placeOf(session, mention.projectId);
    return place ? [{ mention, place }] : [];
  });
  if (shown.length === 0) {
    return <MenuLabel>No mentions. Comments on traces that name you with @ and your email are listed here.</MenuLabel>;
  }
  const follow = ({ commentId, traceId, spanId }: Mention, at: ProjectPath) => {
    read.mutate([commentId]);
    void navigate({ ...pages.trace(at, traceId), search: { span: spanId ?? undefined, comment: commentId } });
  };
  return (
    <>
      <MenuLabel>Mentions</MenuLabel>
      {shown.map(({ mention, place }) => (
        <MenuItem key={mention.commentId} tall onSelect={() => follow(mention, place.at)}>
          <MentionEntry mention={mention} project={place.name} />
        </MenuItem>
      ))}
      {unread > 0 && (
        <>
          <MenuSeparator />
          <MenuItem onSelect={() => read.mutate(undefined)}>
            <CheckCheck aria-hidden />
            Mark all as read
          </MenuItem>
        </>
      )}
    </>
  );
}

function MentionEntry({ mention, project }: { mention: Mention; project: string }): ReactNode {
  const { author, createdAt, excerpt, readAt } = mention;
  return (
    <span className="flex min-w-0 gap-2">
      <span
        className={classNames('mt-1.5 size-1.5 shrink-0 rounded-full', readAt === null && 'bg-accent')}
        {...(readAt === null ? { role: 'img', 'aria-label': 'unread' } : {})}
      />
      <span className="flex min-w-0 flex-col">
        <span className="flex min-w-0 items-baseline gap-1.5 text-2xs text-ink-faint">
          <Visible text={author.name} className="truncate text-xs font-medium text-ink" />
          <Moment ago iso={createdAt} />
          <Visible text={project} className="truncate" />
        </span>
        <VisibleLine text={excerpt} className={classNames('max-w-80', readAt === null ? 'text-ink' : 'text-ink-soft')} />
      </span>
    </span>
  );
}
