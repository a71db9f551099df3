import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { sessionQuery } from '../api/session.ts';
import { Empty, Failure } from '../design/states.tsx';
import { rememberProject } from './last-project.ts';
import { ProjectProvider, scopeOf } from './project-context.ts';
import { Sidebar } from './sidebar.tsx';
import { useShortcuts } from './use-shortcuts.ts';

const CommandPalette = lazy(() => import('./command-palette.tsx'));

/** What stands around every page of a project. */
export function Frame(): ReactNode {
  const { org = '', project = '' } = useParams({ strict: false });
  const session = useQuery(sessionQuery);
  const scope = useMemo(() => (session.data ? scopeOf(session.data, { org, project }) : null), [session.data, org, project]);
  useEffect(() => {
    if (scope) rememberProject(scope.at);
  }, [scope]);
  if (session.error) return <Failure error={session.error} onRetry={() => void session.refetch()} />;
  if (!session.data) return null;
  if (!scope) {
    return (
      <main>
        <Empty title="There is no such project" action={<a href="/">Go to your projects</a>}>
          It does not exist, or you are not a member of its organization. Ask the person who sent you the link to add you.
        </Empty>
      </main>
    );
  }
  return (
    <ProjectProvider value={scope}>
      <ProjectFrame />
    </ProjectProvider>
  );
}

function ProjectFrame(): ReactNode {
  const [searching, setSearching] = useState(false);
  useShortcuts(() => setSearching(true));
  return (
    <div className="flex h-full">
      <a
        href="#content"
        className="absolute -top-20 left-2 z-50 rounded-md bg-accent px-3 py-2 font-medium text-accent-ink focus:top-2"
      >
        Skip to content
      </a>
      <Sidebar onSearch={() => setSearching(true)} />
      <main id="content" tabIndex={-1} className="scroll-thin min-w-0 flex-1 overflow-auto outline-none">
        <Outlet />
      </main>
      {searching && (
        <Suspense fallback={null}>
          <CommandPalette onClose={() => setSearching(false)} />
        </Suspense>
      )}
    </div>
  );
}
