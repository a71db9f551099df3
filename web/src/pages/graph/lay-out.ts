import { Graph, layout } from '@dagrejs/dagre';

/** The boxes and edges to lay out; sizes in pixels. */
export interface LayoutInput {
  nodes: ReadonlyArray<{ id: string; width: number; height: number }>;
  edges: ReadonlyArray<{ source: string; target: string }>;
}

/** The top left corner of each node, in the order of the input. */
export type Layout = ReadonlyArray<{ id: string; x: number; y: number }>;

/** With more edges the order of nodes in a layer is improved less often, so that a layout takes about a second at most. */
const manyEdges = 1_500;

const betweenNodes = 10;
const betweenLayers = 72;
const betweenColumns = 24;
/** A layer with more nodes is divided into columns; see {@link divided}. */
const fewNodes = 24;

/** Lays out a graph in layers from left to right. Cycles are allowed. Pure. */
export function layOut({ nodes, edges }: LayoutInput): Layout {
  const graph = new Graph();
  graph.setGraph({
    rankdir: 'LR',
    nodesep: betweenNodes,
    ranksep: betweenLayers,
    ranker: edges.length > manyEdges ? 'longest-path' : 'tight-tree',
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of nodes) graph.setNode(id, { width, height });
  for (const { source, target } of edges) graph.setEdge(source, target);
  layout(graph);
  const boxes = nodes.map((node): Box => {
    const { x = 0, y = 0 } = graph.node(node.id) as { x?: number; y?: number };
    return { ...node, x, y };
  });
  return divided(boxes).map(({ id, width, height, x, y }) => ({ id, x: x - width / 2, y: y - height / 2 }));
}

/** A node with its centre. */
interface Box {
  id: string;
  width: number;
  height: number;
  x: number;
  y: number;
}

/** Divides layers with very many nodes into columns, in their order from top to bottom: hundreds of tools of one agent would stand in one endless line. */
function divided(boxes: readonly Box[]): readonly Box[] {
  const most = Math.max(fewNodes, Math.ceil(1.5 * Math.sqrt(boxes.length)));
  // dagre centres the nodes of a layer on one x.
  const layers = [...Map.groupBy(boxes, ({ x }) => x)].toSorted(([left], [right]) => left - right).map(([, layer]) => layer);
  if (layers.every((layer) => layer.length <= most)) return boxes;
  const placed = new Map<string, Box>();
  let left = 0;
  for (const layer of layers) {
    const ordered = layer.toSorted((above, below) => above.y - below.y);
    const size = Math.ceil(ordered.length / Math.ceil(ordered.length / most));
    for (let at = 0; at < ordered.length; at += size) {
      const column = ordered.slice(at, at + size);
      const width = column.reduce((widest, box) => Math.max(widest, box.width), 0);
      let top = -column.reduce((sum, { height }) => sum + height + betweenNodes, 0) / 2;
      for (const box of column) {
        placed.set(box.id, { ...box, x: left + width / 2, y: top + box.height / 2 });
        top += box.height + betweenNodes;
      }
      left += width + betweenColumns;
    }
    left += betweenLayers - betweenColumns;
  }
  return boxes.map((box) => placed.get(box.id) ?? box);
}
