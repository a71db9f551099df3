import { Link, useNavigate } from '@tanstack/react-router';
import type { UseQueryResult } from '@tanstack/react-query';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/client.ts';
import { failureOf } from '../../api/failure-of.ts';
import type { AffectedNode, BlastRadius, Change } from '../../api/service.ts';
import { changeTitle } from '../../content/change-words.ts';
import { Badge } from '../../design/badge.tsx';
import { Count, Duration, Moment, Share, Usd } from '../../design/figures.tsx';
import { NodeCost } from './node-cost.tsx';
import { Failure, ListSkeleton } from '../../design/states.tsx';
import { usePageKeys } from '../../design/use-page-keys.ts';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { nameOf } from './hover-figures.tsx';
import { NodeLinks } from './node-links.tsx';
import { typeOf } from './node-types.ts';
import type { GraphSearch } from './search.ts';
import { useGraphLink } from './use-graph-link.ts';

interface BlastRadiusPanelProps {
  id: string;
  search: GraphSearch;
  query: UseQueryResult<BlastRadius>;
}

/** Changes that are listed; the page of changes has them all. */
const maxChanges = 6;
/** Affected nodes that are listed. */
const maxListed = 200;

/** The opened node: its figures, what depends on it, and the traces concerned. */
export function BlastRadiusPanel({ id, search, query }: BlastRadiusPanelProps): ReactNode {
  const failure = failureOf(query);
  const linkTo = useGraphLink();
  const navigate = useNavigate();
  usePageKeys({ Escape: () => void navigate(linkTo({ node: undefined })) });
  return (
    <aside
      aria-label="Blast radius"
      className="scroll-thin flex min-h-0 shrink-0 flex-col gap-4 overflow-y-auto border-line bg-surface p-4 max-lg:border-t lg:w-96 lg:border-l"
    >
      <header className="flex items-start gap-2">
        <h2 className="min-w-0 flex-1 text-base font-semibold [overflow-wrap:anywhere]">
          <Visible text={nameOf(id)} />
        </h2>
        <Link
          {...linkTo({ node: undefined })}
          aria-label="Close"
          className="rounded-md p-1 text-ink-faint hover:bg-hover hover:text-ink"
        >
          <X aria-hidden className="size-4" />
        </Link>
      </header>
      {failure instanceof ApiError && failure.status === 404 ? (
        <p className="text-ink-soft">This node has no calls in this time range and environment.</p>
      ) : failure ? (
        <Failure error={failure} what="Node" onRetry={() => void query.refetch()} />
      ) : query.data ? (
        <Found radius={query.data} search={search} />
      ) : (
        <ListSkeleton />
      )}
    </aside>
  );
}

function Found({ radius, search }: { radius: BlastRadius; search: GraphSearch }): ReactNode {
  const { node, totals, changes, truncated } = radius;
  // A node that reaches this one in no trace of the range is not affected by it.
  const affected = radius.affected.filter(({ share }) => share > 0);
  return (
    <>
      <div className="flex flex-col gap-2">
        <Figures
          label="Node"
          figures={[
            [node.type === 'service' ? 'Traces' : 'Calls', <Count key="calls" value={node.calls} />],
            ['Error rate', <Share key="errors" value={node.errorRate} />],
            ['p95', <Duration key="p95" ms={node.p95Latency} />],
            ['Cost', <NodeCost key="cost" node={node} />],
          ]}
        />
        <NodeLinks type={node.type} name={node.name} search={search} />
      </div>
      <Section title="Traces concerned">
        <Figures
          label="Traces concerned"
          figures={[
            ['Traces', <Count key="traces" value={totals.traces} />],
            ['Users', <Count key="users" value={totals.users} />],
            ['Sessions', <Count key="sessions" value={totals.sessions} />],
            ['Agents affected', <Count key="agents" value={totals.agents} />],
            [
              'Cost of these traces',
              <Usd key="cost" value={totals.cost} unpriced={totals.unpricedCalls} partly={totals.partlyPricedCalls} />,
            ],
            ['Outcomes', <Count key="outcomes" value={totals.outcomes} />],
          ]}
        />
      </Section>
      <Section title={affected.length === 0 ? 'Nothing depends on this' : `Affected: ${countedExactly(affected.length, 'node')}`}>
        <Affected affected={affected} />
        {(truncated || affected.length > maxListed) && (
          <p className="text-xs text-ink-faint">The nearest {Math.min(affected.length, maxListed)} are listed.</p>
        )}
      </Section>
      {changes.length > 0 && (
        <Section title="Recent changes">
          <Changes changes={changes} />
        </Section>
      )}
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-sm font-semibold">{title}</h3>
      {children}
    </section>
  );
}

function Figures({ label, figures }: { label: string; figures: ReadonlyArray<readonly [string, ReactNode]> }): ReactNode {
  return (
    <dl aria-label={label} className="grid grid-cols-2 gap-x-4 gap-y-2 sm:max-lg:grid-cols-4">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt className="text-xs text-ink-faint">{name}</dt>
          <dd className="font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Listed by distance; the list is long only where much depends on a node. */
function Affected({ affected }: { affected: readonly AffectedNode[] }): ReactNode {
  const linkTo = useGraphLink();
  const byDistance = [...Map.groupBy(affected.slice(0, maxListed), ({ distance }) => distance)];
  return byDistance.map(([distance, nodes]) => (
    <div key={distance}>
      <h4 className="text-xs text-ink-faint">{distance === 1 ? 'Calls it' : `${distance} calls away`}</h4>
      <ul className="mt-1">
        {nodes.map(({ id, type, name, calls, share }) => {
          const { icon: Icon, color, one } = typeOf(type);
          return (
            <li key={id} className="relative flex items-center gap-2 rounded-md px-1 py-1 hover:bg-hover">
              <Icon aria-label={one} className="size-3.5 shrink-0" style={{ color }} />
              <Link {...linkTo({ node: id })} className="min-w-0 flex-1 after:absolute after:inset-0 hover:text-accent">
                <VisibleLine text={name} />
              </Link>
              <span className="shrink-0 text-xs text-ink-faint" title="Share of its traces that contain the opened node">
                <Share value={share} /> of traces
              </span>
              <span className="w-12 shrink-0 text-right text-xs" title="Calls">
                <Count value={calls} />
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  ));
}

function Changes({ changes }: { changes: readonly Change[] }): ReactNode {
  const { at } = useProject();
  return (
    <ul className="flex flex-col gap-1 text-xs">
      {changes.slice(0, maxChanges).map((change) => (
        <li key={change.id} className="flex items-baseline gap-2">
          <span className="shrink-0 text-ink-faint">
            <Moment iso={change.at} />
          </span>
          <Link {...pages.change(at, change.id)} className="min-w-0 flex-1 hover:text-accent hover:underline">
            <VisibleLine text={changeTitle(change)} />
          </Link>
          {change.environment !== null && (
            <Badge>
              <Visible text={change.environment} />
            </Badge>
          )}
        </li>
      ))}
    </ul>
  );
}
