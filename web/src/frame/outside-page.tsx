import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { pages } from '../paths.ts';
import { Page } from './page.tsx';

/** A page that is in no project and so has no sidebar: a title and what it says. */
export function OutsidePage({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <main className="h-full overflow-auto">
      <Page title={title}>{children}</Page>
    </main>
  );
}

/** The way from there to the viewer's projects. */
export function ToProjects(): ReactNode {
  return (
    <Link {...pages.home()} className="text-accent hover:underline">
      Go to your projects
    </Link>
  );
}
