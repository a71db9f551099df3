import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { pages } from '../paths.ts';
import { Page } from './page.tsx';
import { useProject } from './project-context.ts';

/** A page outside any project, without the sidebar. */
export function OutsidePage({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <main className="h-full overflow-auto">
      <Page title={title}>{children}</Page>
    </main>
  );
}

/** A link to the viewer's projects. */
export function ToProjects(): ReactNode {
  return (
    <Link {...pages.home()} className="text-accent hover:underline">
      Go to your projects
    </Link>
  );
}

/** A link to the overview of the current project. */
export function ToOverview(): ReactNode {
  const { at } = useProject();
  return (
    <Link {...pages.overview(at)} className="text-accent hover:underline">
      Go to Overview
    </Link>
  );
}
