import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { blastRadiusQuery, graphQuery } from '../../api/graph.ts';
import type { Graph } from '../../api/service.ts';
import { deferred } from '../../design/deferred.tsx';
import { Empty, Failure, ListSkeleton, Skeleton } from '../../design/states.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { EnvironmentPicker } from '../../frame/environment-picker.tsx';
import { RangePicker } from '../../frame/range-picker.tsx';
import { SendDataLink } from '../../frame/send-data-link.tsx';
import { useNow } from '../../frame/use-now.ts';
import { BlastRadiusPanel } from './blast-radius-panel.tsx';
import { GraphFilters } from './graph-filters.tsx';
import { GraphTables } from './graph-tables.tsx';
import { graphRequest } from './search.ts';
import type { GraphSearch } from './search.ts';
import { shownGraph } from './shown-graph.ts';

// Start loading the drawing with the page's code, in parallel with its data.
const loadCanvas = () => import('./graph-canvas.tsx');
loadCanvas().catch(() => undefined);
const GraphCanvas = deferred(loadCanvas, <Skeleton className="absolute inset-4" />);

/** The dependency graph of the time range, as a drawing or as tables, and the blast radius of the opened node. */
export default function GraphPage(): ReactNode {
  const { projectId } = useProject();
  const search = useSearch({ from: '/o/$org/p/$project/graph' });
  const nowMs = useNow(search);
  const request = graphRequest(search, nowMs);
  const query = useQuery({ ...graphQuery(projectId, request), placeholderData: keepPreviousData });
  const { node = null } = search;
  const radius = useQuery({ ...blastRadiusQuery(projectId, node ?? '', request), enabled: node !== null });
  const affected = useMemo(
    () => (node !== null && radius.data ? new Set(radius.data.affected.map(({ id }) => id)) : null),
    [node, radius.data],
  );
  const failure = failureOf(query);
  return (
    <Page
      title="Graph"
      fill="wide"
      actions={
        <>
          <EnvironmentPicker />
          <RangePicker />
        </>
      }
    >
      {failure ? (
        <Failure error={failure} onRetry={() => void query.refetch()} />
      ) : (
        <>
          <GraphFilters key={projectId} search={search} graph={query.data} />
          {!query.data ? (
            <ListSkeleton />
          ) : (
            <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
              <Drawing graph={query.data} search={search} affected={affected} />
              {node !== null && <BlastRadiusPanel id={node} search={search} query={radius} />}
            </div>
          )}
        </>
      )}
    </Page>
  );
}

interface DrawingProps {
  graph: Graph;
  search: GraphSearch;
  affected: ReadonlySet<string> | null;
}

function Drawing({ graph, search, affected }: DrawingProps): ReactNode {
  const { without, min = 1, node: opened = null, view } = search;
  const shown = useMemo(() => shownGraph(graph, { hide: without ?? [], min, opened }), [graph, without, min, opened]);
  if (shown.nodes.length === 0) {
    const filtered = graph.nodes.length > 0;
    return (
      <Empty
        title={filtered ? 'The filters leave nothing' : 'No calls in this time range'}
        {...(filtered ? {} : { action: <SendDataLink /> })}
      >
        {filtered
          ? 'Show more types, or lower the minimum of calls.'
          : 'Choose a longer time range, or send traces with agents, tools, retrievers and calls of models.'}
      </Empty>
    );
  }
  return (
    <div className="relative flex min-h-96 min-w-0 flex-1 flex-col">
      {graph.truncated && (
        <p className="border-b border-line bg-warn-soft px-4 py-1.5 text-xs text-warn">
          The {graph.nodes.length} nodes with the most calls are shown.
        </p>
      )}
      {view === 'table' ? (
        <GraphTables shown={shown} />
      ) : (
        <section aria-label="Dependency graph" className="relative min-h-0 flex-1">
          {/* The drawing needs a height of its own: percentages of a growing box have none. */}
          <div className="absolute inset-0">
            <GraphCanvas shown={shown} opened={opened} affected={affected} />
          </div>
        </section>
      )}
    </div>
  );
}
