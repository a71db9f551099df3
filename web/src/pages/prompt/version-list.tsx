import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { PromptVersion } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { Moment } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { LabelBadges, ProposalBadge } from './label-badge.tsx';
import type { PromptSearch } from './search.ts';
import type { Versions } from '../../api/prompt-versions.ts';

interface VersionListProps {
  versions: Versions;
  selected: number | null;
  search: PromptSearch;
}

/** The list of versions, newest first. */
export function VersionList({ versions, selected, search }: VersionListProps): ReactNode {
  return (
    <nav
      aria-label="Versions"
      className="scroll-thin flex shrink-0 flex-col gap-0.5 overflow-auto border-line bg-surface p-2 max-lg:max-h-40 max-lg:border-b lg:w-64 lg:border-r"
    >
      {versions.loaded.map((version) => (
        <Entry key={version.version} version={version} search={search} current={version.version === selected} />
      ))}
      {versions.hasOlder && (
        <Button look="quiet" size="small" repeatable busy={versions.loadingOlder} onClick={versions.loadOlder}>
          Load older versions
        </Button>
      )}
    </nav>
  );
}

function Entry({ version, search, current }: { version: PromptVersion; search: PromptSearch; current: boolean }): ReactNode {
  const { at } = useProject();
  const { view, range, from, to } = search;
  return (
    <Link
      {...pages.prompt(at, version.name)}
      search={{ range, from, to, version: version.version, ...(view === 'compare' ? { view } : {}) }}
      aria-current={current ? 'true' : undefined}
      className={classNames('flex flex-col gap-0.5 rounded-md px-2 py-1.5', current ? 'bg-accent-soft' : 'hover:bg-hover')}
    >
      <span className="flex flex-wrap items-center gap-1">
        <span className="mr-1 font-semibold">Version {version.version}</span>
        <LabelBadges labels={version.labels} />
        {version.proposal && <ProposalBadge />}
      </span>
      {version.commitMessage !== '' && <VisibleLine text={version.commitMessage} className="text-xs text-ink-soft" />}
      <span className="flex gap-1 text-xs text-ink-faint">
        <VisibleLine text={version.createdBy} className="min-w-0" />·
        <Moment ago iso={version.createdAt} />
      </span>
    </Link>
  );
}
