import { useSearch } from '@tanstack/react-router';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import type { GraphSearch } from './search.ts';

/** Link properties of the page as it is, with some search parameters changed. */
export function useGraphLink(): (changed: Partial<GraphSearch>) => ReturnType<typeof pages.graph> & {
  search: GraphSearch;
  resetScroll: false;
} {
  const { at } = useProject();
  const search = useSearch({ from: '/o/$org/p/$project/graph' });
  return (changed) => ({ ...pages.graph(at), search: { ...search, ...changed }, resetScroll: false });
}
