import type { GraphQuery, NodeType } from '../../api/wire.ts';
import { rangeRequest, readRange } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';
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

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Parses the search parameters of a URL; invalid values are dropped. */
export function readGraphSearch(search: Record<string, unknown>): GraphSearch {
  const environment = text(search['environment']);
  const { node } = search;
  const min = Number(search['min']);
  const hidden = [search['without']].flat();
  const without = nodeTypes.map(({ type }) => type).filter((type) => hidden.includes(type));
  return {
    ...readRange(search),
    ...(environment === undefined ? {} : { environment }),
    ...(without.length === 0 ? {} : { without }),
    ...(Number.isSafeInteger(min) && min > 1 ? { min } : {}),
    // White space at its end is part of a node's name.
    ...(typeof node === 'string' && node !== '' ? { node } : {}),
    ...(search['view'] === 'table' ? { view: 'table' as const } : {}),
  };
}

/** The request for the graph and for a blast radius. */
export function graphRequest(search: GraphSearch, nowMs: number): GraphQuery {
  const { environment } = search;
  return { ...rangeRequest(search, nowMs), ...(environment === undefined ? {} : { environment }) };
}
