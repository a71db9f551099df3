/** An edge of the graph, by the ids of its nodes. */
export interface Edge {
  source: string;
  target: string;
}

/**
 * The nodes from which `node` can be reached along edges, without the node itself, each with the fewest edges to it. Cycles are allowed. Linear in
 * the number of edges.
 */
export function distancesTo(node: string, edges: Iterable<Edge>): Map<string, number> {
  const callers = new Map<string, string[]>();
  for (const { source, target } of edges) {
    const known = callers.get(target);
    if (known) known.push(source);
    else callers.set(target, [source]);
  }
  const distances = new Map([[node, 0]]);
  // A map iterates over what is added meanwhile, in order.
  for (const [reached, distance] of distances) {
    for (const caller of callers.get(reached) ?? []) if (!distances.has(caller)) distances.set(caller, distance + 1);
  }
  distances.delete(node);
  return distances;
}
