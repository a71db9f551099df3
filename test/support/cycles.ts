/**
 * The cycles of a graph: its strongly connected components of more than one node, and nodes that point to themselves (Tarjan's algorithm,
 * without recursion).
 *
 * @param graph the nodes that each node points to; nodes without an entry point nowhere
 * @returns each cycle's nodes, sorted
 */
export function cyclesOf(graph: ReadonlyMap<string, Iterable<string>>): string[][] {
  const order = new Map<string, number>();
  /** The earliest node that is reachable, by its place in the order. */
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const onPath = new Set<string>();
  const cycles: string[][] = [];
  const lower = (node: string, to: number) => lowest.set(node, Math.min(lowest.get(node) ?? to, to));
  const visit = (node: string) => {
    order.set(node, order.size);
    lower(node, order.size - 1);
    path.push(node);
    onPath.add(node);
    return { node, targets: [...(graph.get(node) ?? [])][Symbol.iterator]() };
  };
  const leave = (node: string) => {
    if (lowest.get(node) !== order.get(node)) return;
    const component = path.splice(path.lastIndexOf(node));
    for (const member of component) onPath.delete(member);
    if (component.length > 1 || [...(graph.get(node) ?? [])].includes(node)) cycles.push(component.toSorted());
  };
  for (const start of graph.keys()) {
    if (order.has(start)) continue;
    const stack = [visit(start)];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const { value: target, done } = top.targets.next();
      if (done === true) {
        stack.pop();
        leave(top.node);
        const below = stack.at(-1);
        if (below) lower(below.node, lowest.get(top.node) ?? 0);
      } else if (!order.has(target)) stack.push(visit(target));
      else if (onPath.has(target)) lower(top.node, order.get(target) ?? 0);
    }
  }
  return cycles;
}
