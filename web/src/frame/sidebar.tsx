import { Link, useLocation, useRouter, useSearch } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { linkFigures, readFigures } from '../range.ts';
import { AccountMenu } from './account-menu.tsx';
import { useLastEnvironments } from './last-environments.ts';
import { destinationsOf, navigationGroups } from './navigation.ts';
import { useProject } from './project-context.ts';
import { IngestStatus } from './ingest-status.tsx';
import { MentionsMenu } from './mentions-menu.tsx';
import { ProjectSwitch } from './project-switch.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

/** The sidebar of wide windows. Narrow ones have the drawer of {@link TopBar} instead. */
export function Sidebar({ onSearch }: { onSearch(): void }): ReactNode {
  return (
    <aside className="flex w-52 shrink-0 flex-col border-r border-line bg-surface max-lg:hidden" aria-label="Sidebar">
      <SidebarContent onSearch={onSearch} />
    </aside>
  );
}

/** Navigation to every page. Links keep the time range and the environment. */
export function SidebarContent({ onSearch }: { onSearch(): void }): ReactNode {
  const { at, projectId } = useProject();
  const router = useRouter();
  const listed = destinationsOf(router).filter(({ aside }) => aside !== true);
  const path = useLocation({ select: ({ pathname }) => pathname.split('/').slice(5).join('/') });
  const range = linkFigures({ ...useLastEnvironments(projectId), ...readFigures(useSearch({ strict: false })) });
  return (
    <>
      <div className="p-2">
        <ProjectSwitch />
      </div>
      <div className="px-2">
        <button
          type="button"
          onClick={onSearch}
          className="flex h-8 w-full items-center gap-2 rounded-md border border-line bg-canvas px-2 text-left text-ink-faint hover:text-ink"
        >
          <Search className="size-4" aria-hidden />
          <span className="flex-1">Go to…</span>
          <kbd className="font-sans text-2xs">Ctrl K</kbd>
        </button>
      </div>
      <nav aria-label="Pages" className="scroll-thin flex flex-1 flex-col gap-2 overflow-y-auto p-2">
        {[...navigationGroups, undefined].map((group) => (
          <NavigationGroup key={group ?? 'other'} title={group}>
            {listed
              .filter((destination) => destination.group === group)
              .map(({ title, icon: Icon, badge: BadgeOf, to, holds = [] }) => (
                <Link
                  key={title}
                  to={to}
                  params={at}
                  search={range}
                  data-status={holds.some((one) => path.startsWith(one)) ? 'active' : undefined}
                  activeOptions={{ exact: title === 'Overview', includeSearch: false }}
                  className="flex h-6.5 items-center gap-2.5 rounded-md px-2 font-medium text-ink-soft hover:bg-hover max-lg:h-9 hover:text-ink data-[status=active]:bg-accent-soft data-[status=active]:text-accent"
                >
                  <Icon className="size-4" aria-hidden />
                  {title}
                  {BadgeOf && <BadgeOf />}
                </Link>
              ))}
          </NavigationGroup>
        ))}
      </nav>
      <IngestStatus />
      <div className="flex items-center gap-1 border-t border-line p-2">
        <AccountMenu />
        <MentionsMenu />
        <ThemeToggle />
      </div>
    </>
  );
}

function NavigationGroup({ title, children }: { title: string | undefined; children: ReactNode }): ReactNode {
  const id = useId();
  if (title === undefined) return <div className="flex flex-col">{children}</div>;
  return (
    <div role="group" aria-labelledby={id} className="flex flex-col">
      <div id={id} className="px-2 text-2xs font-medium text-ink-faint">
        {title}
      </div>
      {children}
    </div>
  );
}
