import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';

/** The breadcrumb of the pages of simulations. */
export function SimulationsTrail({ tab }: { tab?: 'runs' }): ReactNode {
  const { at } = useProject();
  return (
    <Link
      {...pages.simulations(at)}
      search={tab === undefined ? {} : { tab }}
      className="shrink-0 text-ink-faint hover:text-ink hover:underline"
    >
      Simulations /
    </Link>
  );
}
