import { Background, Controls, MarkerType, ReactFlow } from '@xyflow/react';
import type { Edge, FitViewOptions, Node } from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { Skeleton } from '../../design/states.tsx';
import { useThemeName } from '../../design/theme.ts';
import { GraphNodeBox } from './graph-node-box.tsx';
import type { BoxData } from './graph-node-box.tsx';
import { HoverFigures } from './hover-figures.tsx';
import type { Hovered } from './hover-figures.tsx';
import { errorStrength } from './shown-graph.ts';
import type { ShownGraph } from './shown-graph.ts';
import { useLayout } from './use-layout.ts';
import { useNodeLinks } from './use-node-links.ts';
import type { NodeLinks } from './use-node-links.ts';
import type { Layout } from './lay-out.ts';
import './graph-canvas.css';

interface GraphCanvasProps {
  shown: ShownGraph;
  opened: string | null;
  /** The nodes that the opened one affects; null while they are not known. */
  affected: ReadonlySet<string> | null;
}

const nodeTypes = { box: GraphNodeBox };
/** More edges have no arrows, and are hidden while the drawing moves. */
const manyEdges = 400;

const wholeGraph = { padding: 0.08, maxZoom: 1 };
/** The least zoom at which a narrow window opens the drawing, so that names can be read. */
const leastNarrowZoom = 0.7;

/** What is in view at first: the whole graph, or in a narrow window the opened node, else the first layer. The button of the drawing shows the whole graph. */
function firstView(places: Layout, opened: string | null): FitViewOptions {
  if (!globalThis.matchMedia('(width < 40rem)').matches) return wholeGraph;
  const left = Math.min(...places.map(({ x }) => x));
  const isOpened = places.some(({ id }) => id === opened);
  return {
    ...wholeGraph,
    minZoom: leastNarrowZoom,
    nodes: places.filter(({ id, x }) => (isOpened ? id === opened : x === left)),
  };
}

/** Draws the graph. A node leads to its blast radius; the figures of what the pointer or the keyboard is at are shown in a corner. */
export default function GraphCanvas({ shown, opened, affected }: GraphCanvasProps): ReactNode {
  const laidOut = useLayout(shown);
  const [hovered, setHovered] = useState<Hovered | null>(null);
  const theme = useThemeName();
  const [moving, setMoving] = useState(false);
  const links = useNodeLinks(shown);
  const nodes = useMemo(
    () => (laidOut ? nodesOf(laidOut.of, laidOut.places, { opened, affected, links }) : []),
    [laidOut, opened, affected, links],
  );
  const edges = useMemo(() => (laidOut ? edgesOf(laidOut.of, { opened, affected }) : []), [laidOut, opened, affected]);
  if (!laidOut) return <Skeleton className="absolute inset-4" />;
  return (
    <div className="absolute inset-0" data-moving={moving && shown.edges.length > manyEdges ? '' : undefined}>
      <ReactFlow
        // A new set of nodes is shown as a whole.
        key={laidOut.of.nodes.length}
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        colorMode={theme}
        fitView
        fitViewOptions={firstView(laidOut.places, opened)}
        minZoom={0.05}
        maxZoom={1.6}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        onlyRenderVisibleElements
        proOptions={{ hideAttribution: true }}
        onMoveStart={() => setMoving(true)}
        onMoveEnd={() => setMoving(false)}
        onNodeMouseEnter={(_, node) => setHovered({ node: node.data.drawn.node })}
        onNodeMouseLeave={() => setHovered(null)}
        onEdgeMouseEnter={(_, { data }) => data && setHovered({ edge: data.edge })}
        onEdgeMouseLeave={() => setHovered(null)}
      >
        <Background gap={24} />
        <Controls showInteractive={false} position="bottom-right" fitViewOptions={wholeGraph} />
      </ReactFlow>
      {hovered && <HoverFigures hovered={hovered} />}
    </div>
  );
}

interface Selection {
  opened: string | null;
  affected: ReadonlySet<string> | null;
}

function nodesOf(
  shown: ShownGraph,
  places: Layout,
  { opened, affected, links }: Selection & { links: NodeLinks },
): Array<Node<BoxData>> {
  const placeOf = new Map(places.map((place) => [place.id, place]));
  return shown.nodes.map((drawn) => {
    const { id } = drawn.node;
    const { x = 0, y = 0 } = placeOf.get(id) ?? {};
    const isOpened = id === opened;
    const faded = affected !== null && !isOpened && !affected.has(id);
    return {
      id,
      type: 'box',
      position: { x, y },
      width: drawn.width,
      height: drawn.height,
      data: {
        drawn,
        href: links.hrefs.get(id) ?? '',
        onOpen: links.open,
        isOpened,
        isAffected: affected?.has(id) === true,
        faded,
      },
    };
  });
}

function edgesOf(shown: ShownGraph, { opened, affected }: Selection): Array<Edge<{ edge: ShownGraph['edges'][number]['edge'] }>> {
  const onPath = (id: string) => id === opened || affected?.has(id) === true;
  return shown.edges.map(({ edge, id, width }) => {
    const strength = errorStrength(edge.errors, edge.calls);
    const faded = affected !== null && !(onPath(edge.source) && onPath(edge.target));
    const color = `color-mix(in srgb, var(--bad) ${strength}%, var(--line-strong))`;
    // In the colour: an opacity of its own makes each edge a layer to paint.
    const stroke = `color-mix(in srgb, ${color} ${faded ? 15 : 75}%, transparent)`;
    return {
      id,
      source: edge.source,
      target: edge.target,
      data: { edge },
      style: { stroke, strokeWidth: width },
      ...(shown.edges.length > manyEdges
        ? {}
        : { markerEnd: { type: MarkerType.ArrowClosed, color: stroke, width: 14, height: 14, markerUnits: 'userSpaceOnUse' } }),
    };
  });
}
