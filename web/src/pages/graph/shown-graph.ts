import type { NodeType } from '../../api/parts.ts';
import type { Graph, GraphEdge, GraphNode } from '../../api/service.ts';

/** A node with its size in the drawing, pixels. */
export interface DrawnNode {
  node: GraphNode;
  width: number;
  height: number;
}

/** An edge with its width in the drawing, pixels. */
export interface DrawnEdge {
  edge: GraphEdge;
  id: string;
  width: number;
}

/** The part of a graph that the filters leave. */
export interface ShownGraph {
  nodes: readonly DrawnNode[];
  edges: readonly DrawnEdge[];
}

const smallest = { width: 92, height: 28 };
const growth = { width: 44, height: 18 };
/** Room for a name, pixels; longer names are cut. */
const letter = 6.4;
const maxLetters = 24;
const thinnest = 1;
const thickest = 6;
/** With more edges they are drawn thinner, or nothing else is seen. */
const manyEdges = 150;

/** Nodes and edges with enough calls, of the types that are not hidden; the opened node is always shown. Sizes grow with the square root of the calls, and fit names. */
export function shownGraph(graph: Graph, filter: { hide: readonly NodeType[]; min: number; opened: string | null }): ShownGraph {
  const nodes = graph.nodes.filter(
    ({ id, type, calls }) => id === filter.opened || (calls >= filter.min && !filter.hide.includes(type)),
  );
  const ids = new Set(nodes.map(({ id }) => id));
  const edges = graph.edges.filter(({ source, target, calls }) => calls >= filter.min && ids.has(source) && ids.has(target));
  const shareOf = (calls: number, most: number) => (most === 0 ? 0 : Math.sqrt(calls / most));
  const maxCallsOfNodes = nodes.reduce((most, { calls }) => Math.max(most, calls), 0);
  const maxCallsOfEdges = edges.reduce((most, { calls }) => Math.max(most, calls), 0);
  const crowded = Math.min(1, manyEdges / edges.length);
  return {
    nodes: nodes.map((node) => {
      const share = shareOf(node.calls, maxCallsOfNodes);
      return {
        node,
        width: Math.round(smallest.width + letter * Math.min(maxLetters, node.name.length) + growth.width * share),
        height: Math.round(smallest.height + growth.height * share),
      };
    }),
    edges: edges.map((edge) => ({
      edge,
      id: JSON.stringify([edge.source, edge.target]),
      width: Math.round((thinnest + (thickest - thinnest) * crowded * shareOf(edge.calls, maxCallsOfEdges)) * 10) / 10,
    })),
  };
}

/** From here on a share of errors has the strongest colour. */
const worstRate = 0.2;

/** How strong the colour of errors is, 0 to 100: visible for any error, in full from {@link worstRate} on. */
export function errorStrength(errors: number, calls: number): number {
  if (errors === 0 || calls === 0) return 0;
  return Math.round(10 + 90 * Math.min(1, errors / calls / worstRate));
}
