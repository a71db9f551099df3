import type { ReactNode } from 'react';
import type { GraphEdge, GraphNode } from '../../api/service.ts';
import { Count, Duration, Share } from '../../design/figures.tsx';
import { NodeCost } from './node-cost.tsx';
import { Visible } from '../../design/visible.tsx';
import { typeOf } from './node-types.ts';

/** What the pointer is at. */
export type Hovered = { node: GraphNode } | { edge: GraphEdge };

/** The figures of a node or edge, in a corner of the drawing. */
export function HoverFigures({ hovered }: { hovered: Hovered }): ReactNode {
  const figures = 'node' in hovered ? hovered.node : hovered.edge;
  const { calls, errors, p95Latency } = figures;
  return (
    <div
      data-hover-figures
      className="pointer-events-none absolute bottom-3 left-3 z-10 max-w-[min(26rem,calc(100%-6rem))] rounded-md border border-line bg-raised px-3 py-2 text-xs shadow-high"
    >
      <p className="font-medium [overflow-wrap:anywhere]">
        {'node' in hovered ? (
          <>
            <span className="text-ink-faint">{typeOf(hovered.node.type).one}</span> <Visible text={hovered.node.name} />
          </>
        ) : (
          <>
            <Visible text={nameOf(hovered.edge.source)} /> <span className="text-ink-faint">→</span>{' '}
            <Visible text={nameOf(hovered.edge.target)} />
          </>
        )}
      </p>
      <dl className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
        <Figure label="Calls" value={<Count value={calls} />} />
        <Figure label="Errors" value={<Count value={errors} />} />
        <Figure label="Error rate" value={<Share value={errors / calls} />} />
        <Figure label="p95" value={<Duration ms={p95Latency} />} />
        {'node' in hovered && <Figure label="Cost" value={<NodeCost node={hovered.node} />} />}
      </dl>
    </div>
  );
}

function Figure({ label, value }: { label: string; value: ReactNode }): ReactNode {
  return (
    <div className="flex gap-1">
      <dt className="text-ink-faint">{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** The name of a node by its id. */
export function nameOf(id: string): string {
  return id.slice(id.indexOf(':') + 1);
}
