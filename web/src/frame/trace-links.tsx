import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { VisibleLine } from '../design/visible.tsx';
import { pages } from '../paths.ts';
import type { RangeSearch } from '../range.ts';
import type { FilterSearch } from '../trace-filters.ts';
import { useProject } from './project-context.ts';

const look = 'block min-w-0 hover:text-accent hover:underline';

/** A value that links to the traces that have it: a user, an agent, an environment. */
export function TracesLink({ filter, text }: { filter: RangeSearch & FilterSearch; text: string }): ReactNode {
  const { at } = useProject();
  return (
    <Link {...pages.traces(at)} search={filter} className={look}>
      <VisibleLine text={text} />
    </Link>
  );
}

/** A session that links to its page. */
export function SessionLink({ sessionId }: { sessionId: string }): ReactNode {
  const { at } = useProject();
  return (
    <Link {...pages.session(at, sessionId)} className={look}>
      <VisibleLine text={sessionId} />
    </Link>
  );
}

/** A user of the application that links to their page. */
export function UserLink({ userId, range = {} }: { userId: string; range?: RangeSearch }): ReactNode {
  const { at } = useProject();
  return (
    <Link {...pages.user(at, userId)} search={range} className={look}>
      <VisibleLine text={userId} />
    </Link>
  );
}

/** A prompt version that links to its page. */
export function PromptLink({ name, version }: { name: string; version: string | number | null }): ReactNode {
  const { at } = useProject();
  const number = Number(version);
  return (
    <Link
      {...pages.prompt(at, name)}
      search={version !== null && Number.isSafeInteger(number) && number > 0 ? { version: number } : {}}
      className={look}
    >
      <VisibleLine text={version === null ? name : `${name} #${version}`} />
    </Link>
  );
}
