import { useEffect, useMemo, useState } from 'react';
import type { Layout, LayoutInput } from './lay-out.ts';
import type { ShownGraph } from './shown-graph.ts';

/** The places of the nodes of a graph; null until the first layout. While a changed graph is laid out, the last layout stands. */
export function useLayout(shown: ShownGraph): { places: Layout; of: ShownGraph } | null {
  const [laidOut, setLaidOut] = useState<{ places: Layout; of: ShownGraph } | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const input = useMemo<LayoutInput>(
    () => ({
      nodes: shown.nodes.map(({ node, width, height }) => ({ id: node.id, width, height })),
      edges: shown.edges.map(({ edge: { source, target } }) => ({ source, target })),
    }),
    [shown],
  );
  useEffect(() => {
    // A worker for each graph: a layout that is no longer wanted ends with its worker.
    const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<Layout>) => setLaidOut({ places: data, of: shown }));
    worker.addEventListener('error', () => setFailure(new Error('The graph could not be laid out.')));
    worker.postMessage(input);
    return () => worker.terminate();
  }, [input, shown]);
  // Handled by the router's error component.
  if (failure) throw failure;
  return laidOut;
}
