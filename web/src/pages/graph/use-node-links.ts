import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import type { ShownGraph } from './shown-graph.ts';

/** Links to the page with each node opened. */
export interface NodeLinks {
  /** By node. */
  hrefs: ReadonlyMap<string, string>;
  open(id: string): void;
}

/** The links of the drawn nodes. They stay the same while one node after the other is opened. */
export function useNodeLinks({ nodes }: ShownGraph): NodeLinks {
  const { at } = useProject();
  const router = useRouter();
  const navigate = useNavigate();
  // Shared, so that it is the same object while only the opened node changes.
  const search = useSearch({
    from: '/o/$org/p/$project/graph',
    select: ({ node: _opened, ...others }) => others,
    structuralSharing: true,
  });
  const linkTo = useCallback((id: string) => ({ ...pages.graph(at), search: { ...search, node: id } }), [at, search]);
  return useMemo(
    () => ({
      hrefs: new Map(nodes.map(({ node: { id } }) => [id, router.buildLocation(linkTo(id)).href])),
      open: (id) => void navigate({ ...linkTo(id), resetScroll: false }),
    }),
    [nodes, router, navigate, linkTo],
  );
}
