import type { GraphQuery, NodeType } from '../../api/wire.ts';
import { rangeRequest, readRange } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';
import { given, textOf } from '../../search-values.ts';
import { nodeTypes } from './node-types.ts';

/** The search parameters of the graph. */
export interface GraphSearch extends RangeSearch {
  environment?: string | undefined;
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
    ...readRange(search),
    environment: textOf(search['environment']),
    without: without.length === 0 ? undefined : without,
    min: Number.isSafeInteger(min) && min > 1 ? min : undefined,
    // White space at its end is part of a node's name.
    node: typeof node === 'string' && node !== '' ? node : undefined,
    view: search['view'] === 'table' ? ('table' as const) : undefined,
  });
}

/** The request for the graph and for a blast radius. */
export function graphRequest(search: GraphSearch, nowMs: number): GraphQuery {
  const { environment } = search;
  return { ...rangeRequest(search, nowMs), ...(environment === undefined ? {} : { environment }) };
}
