import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Change } from '../../api/service.ts';
import { changeKindLabels, changeTitle } from '../../content/change-words.ts';
import { Badge } from '../../design/badge.tsx';
import { Moment } from '../../design/figures.tsx';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';

/** Whether a change was reported, or made in this service. */
export function SourceBadge({ source }: Pick<Change, 'source'>): ReactNode {
  return source === 'automatic' ? (
    <Badge title="Made in Spanwise and recorded automatically">automatic</Badge>
  ) : (
    <Badge tone="accent" title="Reported by a pipeline or a person">
      reported
    </Badge>
  );
}

/** One change of the list. The whole row leads to its page. */
export function ChangeRow({ change }: { change: Change }): ReactNode {
  const { at } = useProject();
  const { id, kind, environment, actor, source, description } = change;
  const title = changeTitle(change);
  const more = description !== null && description !== '' && description !== title ? description : null;
  return (
    <li className="relative grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-3 gap-y-0.5 border-t border-line px-3 py-2 first:border-t-0 hover:bg-hover sm:grid-cols-[5.5rem_7rem_minmax(0,1fr)_auto]">
      <span className="text-xs text-ink-faint">
        <Moment iso={change.at} time />
      </span>
      <span className="text-xs text-ink-soft">{changeKindLabels[kind]}</span>
      <span className="min-w-0 max-sm:col-span-2">
        <Link
          {...pages.change(at, id)}
          className="font-medium after:absolute after:inset-0 hover:text-accent focus-visible:text-accent"
        >
          <VisibleLine text={title} />
        </Link>
        {more !== null && <VisibleLine text={more} className="text-xs text-ink-faint" />}
      </span>
      <span className="flex flex-wrap items-center gap-1.5 max-sm:col-span-2">
        {environment !== null && (
          <Badge>
            <Visible text={environment} />
          </Badge>
        )}
        <SourceBadge source={source} />
        {actor !== null && <VisibleLine text={actor} className="max-w-40 text-xs text-ink-faint" />}
      </span>
    </li>
  );
}
