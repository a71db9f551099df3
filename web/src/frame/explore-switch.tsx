import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { classNames } from '../design/class-names.ts';
import { pages } from '../paths.ts';
import type { ProjectPath } from '../paths.ts';
import { linkRange, readRange } from '../range.ts';
import { useProject } from './project-context.ts';

/** The lists of Explore, each with its link. One with a page of its own is a line here. */
const lists = [
  {
    value: 'spans',
    label: 'Calls',
    title: 'Every span: calls of models, tools, agents and more',
    link: (at: ProjectPath) => ({ ...pages.traces(at), search: { on: 'spans' } }) as const,
  },
  {
    value: 'traces',
    label: 'Traces',
    title: 'Traces with their spans summed',
    link: (at: ProjectPath) => ({ ...pages.traces(at), search: {} }) as const,
  },
  { value: 'sessions', label: 'Sessions', title: 'Conversations: traces of one session', link: pages.sessions },
  {
    value: 'users',
    label: 'Users',
    title: 'Users of the application',
    link: (at: ProjectPath) => ({ ...pages.users(at), search: {} }) as const,
  },
] as const;
export type ExploreList = (typeof lists)[number]['value'];

/** Switches between the lists of Explore. The filter, the simulations and the range go with the viewer. */
export function ExploreSwitch({ current }: { current: ExploreList }): ReactNode {
  const { at } = useProject();
  const { filter, q, simulated, ...search }: Record<string, unknown> = useSearch({ strict: false });
  const kept = { ...linkRange(readRange(search)), ...texts({ filter, simulated }) };
  // What is searched in texts; of sessions and users it is an id.
  const searched = current === 'traces' ? texts({ q }) : {};
  return (
    <nav aria-label="Lists" className="flex shrink-0 rounded-md border border-line bg-surface p-0.5">
      {lists.map(({ value, label, title, link }) => {
        const { search: own, ...to } = link(at);
        return (
          <Link
            key={value}
            {...to}
            search={{ ...kept, ...(value === 'spans' ? searched : {}), ...own }}
            title={title}
            aria-current={value === current ? 'page' : undefined}
            className={classNames(
              'flex h-6.5 items-center rounded px-2.5 text-sm font-medium',
              value === current ? 'bg-accent-soft text-accent' : 'text-ink-soft hover:bg-hover hover:text-ink',
            )}
          >
            {label}
          </Link>
        );
      })}
    </nav>
  );
}

const texts = (values: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
