import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import type { GraphEdge, GraphNode } from '../../api/service.ts';
import { readSort } from '../../design/column.ts';
import type { Column } from '../../design/column.ts';
import { DataTable } from '../../design/data-table.tsx';
import { Count, Duration, Share } from '../../design/figures.tsx';
import { NodeCost } from './node-cost.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { nameOf } from './hover-figures.tsx';
import { typeOf } from './node-types.ts';
import type { ShownGraph } from './shown-graph.ts';
import { useGraphLink } from './use-graph-link.ts';

/** The graph as two tables, of nodes and of edges. */
export function GraphTables({ shown }: { shown: ShownGraph }): ReactNode {
  const [tab, setTab] = useState<'nodes' | 'edges'>('nodes');
  const navigate = useNavigate();
  const linkTo = useGraphLink();
  const [nodeSort, setNodeSort] = useState(readSort('-calls'));
  const [edgeSort, setEdgeSort] = useState(readSort('-calls'));
  const nodes = useMemo(() => shown.nodes.map(({ node }) => node), [shown]);
  const edges = useMemo(() => shown.edges.map(({ edge }) => edge), [shown]);
  return (
    <Tabs<'nodes' | 'edges'>
      label="Tables"
      value={tab}
      onValue={setTab}
      className="min-h-0 flex-1"
      tabs={[
        {
          value: 'nodes',
          label: `Nodes ${nodes.length}`,
          content: (
            <DataTable<GraphNode>
              label="Nodes"
              columns={nodeColumns}
              rows={nodes}
              rowKey={({ id }) => id}
              sort={nodeSort}
              onSort={setNodeSort}
              onOpen={({ id }) => void navigate(linkTo({ node: id }))}
              className="h-full bg-surface"
            />
          ),
        },
        {
          value: 'edges',
          label: `Edges ${edges.length}`,
          content: (
            <DataTable<GraphEdge>
              label="Edges"
              columns={edgeColumns}
              rows={edges}
              rowKey={({ source, target }) => JSON.stringify([source, target])}
              sort={edgeSort}
              onSort={setEdgeSort}
              className="h-full bg-surface"
            />
          ),
        },
      ]}
    />
  );
}

function NodeName({ id }: { id: string }): ReactNode {
  const linkTo = useGraphLink();
  return (
    <Link {...linkTo({ node: id })} className="block min-w-0 font-medium hover:text-accent hover:underline">
      <VisibleLine text={nameOf(id)} />
    </Link>
  );
}

const figureColumns: ReadonlyArray<Column<GraphNode | GraphEdge>> = [
  {
    id: 'calls',
    title: 'Calls',
    width: 72,
    align: 'end',
    value: ({ calls }) => calls,
    cell: ({ calls }) => <Count value={calls} />,
  },
  {
    id: 'errors',
    title: 'Error rate',
    width: 104,
    align: 'end',
    value: ({ errors, calls }) => errors / calls,
    cell: ({ errors, calls }) => <Share value={errors / calls} />,
  },
  {
    id: 'p95',
    title: 'p95',
    hint: '95th percentile of the latency',
    width: 74,
    align: 'end',
    droppable: true,
    value: ({ p95Latency }) => p95Latency,
    cell: ({ p95Latency }) => <Duration ms={p95Latency} />,
  },
];

const nodeColumns: ReadonlyArray<Column<GraphNode>> = [
  { id: 'name', title: 'Name', width: 140, grow: true, value: ({ name }) => name, cell: ({ id }) => <NodeName id={id} /> },
  { id: 'type', title: 'Type', width: 84, droppable: true, value: ({ type }) => type, cell: ({ type }) => typeOf(type).one },
  ...figureColumns,
  {
    id: 'cost',
    title: 'Cost',
    width: 84,
    align: 'end',
    droppable: true,
    value: ({ cost }) => cost,
    cell: (node) => <NodeCost node={node} />,
  },
];

const edgeColumns: ReadonlyArray<Column<GraphEdge>> = [
  {
    id: 'source',
    title: 'From',
    width: 110,
    grow: true,
    value: ({ source }) => nameOf(source),
    cell: ({ source }) => <NodeName id={source} />,
  },
  {
    id: 'target',
    title: 'To',
    width: 110,
    grow: true,
    value: ({ target }) => nameOf(target),
    cell: ({ target }) => <NodeName id={target} />,
  },
  ...figureColumns,
];
