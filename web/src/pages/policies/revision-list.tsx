import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { PolicyRevision } from '../../api/policies.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { Moment } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { revisionText } from './policy-words.ts';

interface RevisionListProps {
  revisions: readonly PolicyRevision[];
  selected: number;
  older: { has: boolean; busy: boolean; load(): void };
}

/** Revisions, newest first. */
export function RevisionList({ revisions, selected, older }: RevisionListProps): ReactNode {
  return (
    <nav
      aria-label="Revisions"
      className="scroll-thin flex shrink-0 flex-col gap-0.5 overflow-auto border-line bg-surface p-2 max-lg:max-h-48 max-lg:border-b lg:w-72 lg:border-r"
    >
      {revisions.map((revision) => (
        <Entry key={revision.revision} revision={revision} current={revision.revision === selected} />
      ))}
      {older.has && (
        <Button look="quiet" size="small" repeatable busy={older.busy} onClick={older.load}>
          Load older revisions
        </Button>
      )}
    </nav>
  );
}

function Entry({
  revision: { revision, at: moment, by, source, summary },
  current,
}: {
  revision: PolicyRevision;
  current: boolean;
}): ReactNode {
  const { at } = useProject();
  return (
    <Link
      {...pages.policies(at)}
      search={{ view: 'revisions' as const, revision }}
      replace
      aria-current={current ? 'true' : undefined}
      className={classNames('flex flex-col gap-0.5 rounded-md px-2 py-1.5', current ? 'bg-accent-soft' : 'hover:bg-hover')}
    >
      <span className="flex items-center gap-2">
        <span className="font-semibold">Revision {revision}</span>
        <Badge tone={source === 'code' ? 'accent' : 'neutral'}>{source}</Badge>
      </span>
      <span className="text-xs text-ink-soft">{revisionText(summary)}</span>
      <span className="flex gap-1 text-xs text-ink-faint">
        <VisibleLine text={by} className="min-w-0" />·
        <Moment ago iso={moment} />
      </span>
    </Link>
  );
}
