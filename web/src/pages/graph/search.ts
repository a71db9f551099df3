import type { GraphQuery, NodeType } from '../../api/parts.ts';
import { figuresRequest, readFigures } from '../../range.ts';
import type { FiguresSearch } from '../../range.ts';
import { given } from '../../search-values.ts';
import { nodeTypes } from './node-types.ts';

/** The search parameters of the graph. */
export interface GraphSearch extends FiguresSearch {
  /** Types that are left out. */
  without?: readonly NodeType[] | undefined;
  /** Nodes and edges with fewer calls are left out. */
  min?: number | undefined;
  /** The opened node. */
  node?: string | undefined;
  view?: 'table' | undefined;
}

/** Parses the search parameters of a URL; invalid values are dropped. */
export function readGraphSearch(search: Record<string, unknown>): GraphSearch {
  const { node } = search;
  const min = Number(search['min']);
  const hidden = [search['without']].flat();
  const without = nodeTypes.map(({ type }) => type).filter((type) => hidden.includes(type));
  return given({
    ...readFigures(search),
    without: without.length === 0 ? undefined : without,
    min: Number.isSafeInteger(min) && min > 1 ? min : undefined,
    // White space at its end is part of a node's name.
    node: typeof node === 'string' && node !== '' ? node : undefined,
    view: search['view'] === 'table' ? ('table' as const) : undefined,
  });
}

/** The request for the graph and for a blast radius. */
export function graphRequest(search: GraphSearch, nowMs: number): GraphQuery {
  return figuresRequest(search, nowMs);
}
