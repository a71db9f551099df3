import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../api/failure-of.ts';
import { sessionQuery } from '../api/session.ts';
import { deferred } from '../design/deferred.tsx';
import { Empty, Failure } from '../design/states.tsx';
import { rememberProject } from './last-project.ts';
import { OutsidePage, ToProjects } from './outside-page.tsx';
import { ProjectProvider, scopeOf } from './project-context.ts';
import { SessionEnded } from './session-ended.tsx';
import { Sidebar } from './sidebar.tsx';
import { TopBar } from './top-bar.tsx';
import { useRefreshOnReturn } from './use-refresh-on-return.ts';
import { useShortcuts } from './use-shortcuts.ts';

const KeysDialog = deferred(() => import('./keys-dialog.tsx'));
const CommandPalette = deferred(() => import('./command-palette.tsx'));

/** The layout of every page of a project. */
export function Frame(): ReactNode {
  const { org = '', project = '' } = useParams({ strict: false });
  const session = useQuery(sessionQuery);
  const scope = useMemo(() => (session.data ? scopeOf(session.data, { org, project }) : null), [session.data, org, project]);
  useEffect(() => {
    if (scope) rememberProject(scope.at);
  }, [scope]);
  if (failureOf(session)) return <Failure error={session.error} onRetry={() => void session.refetch()} />;
  if (!session.data) return null;
  if (!scope) {
    return (
      <OutsidePage title="Project not found">
        <Empty title="Project not found" action={<ToProjects />}>
          It doesn't exist, or you aren't a member of its organization.
        </Empty>
      </OutsidePage>
    );
  }
  return (
    // Keyed by project: placeholder data must not come from another project.
    <ProjectProvider key={scope.projectId} value={scope}>
      <ProjectFrame />
    </ProjectProvider>
  );
}

function ProjectFrame(): ReactNode {
  const [searching, setSearching] = useState(false);
  const [listingKeys, setListingKeys] = useState(false);
  useRefreshOnReturn();
  useShortcuts({ openPalette: () => setSearching(true), openKeys: () => setListingKeys(true) });
  return (
    <div className="flex h-full max-lg:flex-col">
      <a
        href="#content"
        className="absolute -top-20 left-2 z-50 rounded-md bg-accent px-3 py-2 font-medium text-accent-ink focus:top-2"
      >
        Skip to content
      </a>
      <TopBar onSearch={() => setSearching(true)} />
      <Sidebar onSearch={() => setSearching(true)} />
      <main id="content" tabIndex={-1} className="scroll-thin min-h-0 min-w-0 flex-1 overflow-auto outline-none">
        <Outlet />
      </main>
      <SessionEnded />
      {listingKeys && <KeysDialog onClose={() => setListingKeys(false)} />}
      {searching && <CommandPalette onClose={() => setSearching(false)} />}
    </div>
  );
}
