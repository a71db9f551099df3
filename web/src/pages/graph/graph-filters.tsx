import { useNavigate } from '@tanstack/react-router';
import { Table2, Waypoints } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { NodeType } from '../../api/parts.ts';
import type { Graph } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { Input } from '../../design/field.tsx';
import { nodeTypes } from './node-types.ts';
import type { GraphSearch } from './search.ts';
import { useGraphLink } from './use-graph-link.ts';

interface GraphFiltersProps {
  search: GraphSearch;
  graph: Graph | undefined;
}

/** Types and fewest calls of what is drawn. The types are the legend too. */
export function GraphFilters({ search, graph }: GraphFiltersProps): ReactNode {
  const navigate = useNavigate();
  const linkTo = useGraphLink();
  const change = (changed: Partial<GraphSearch>) => void navigate({ ...linkTo(changed), replace: true });
  const isTable = search.view === 'table';
  return (
    <div role="group" aria-label="Filters" className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
      <MinimumCalls min={search.min} onMin={(min) => change({ min })} />
      <TypeToggles hide={search.without ?? []} graph={graph} onHide={(hide) => change({ without: hide })} />
      <span className="ml-auto">
        <Button size="small" onClick={() => change({ view: isTable ? undefined : 'table' })}>
          {isTable ? <Waypoints aria-hidden /> : <Table2 aria-hidden />}
          {isTable ? 'Show as graph' : 'Show as table'}
        </Button>
      </span>
    </div>
  );
}

const typingMs = 300;

function MinimumCalls({ min, onMin }: { min: number | undefined; onMin(min: number | undefined): void }): ReactNode {
  const [text, setText] = useState(min === undefined ? '' : String(min));
  const wanted = Number(text) > 1 ? Math.floor(Number(text)) : undefined;
  useEffect(() => {
    if (wanted === min) return undefined;
    const timer = setTimeout(() => onMin(wanted), typingMs);
    return () => clearTimeout(timer);
  });
  return (
    <Input
      label="Minimum calls"
      labelHidden
      className="w-36"
      type="number"
      min={1}
      inputMode="numeric"
      placeholder="Minimum calls"
      value={text}
      onChange={({ target }) => setText(target.value)}
    />
  );
}

function TypeToggles({
  hide,
  graph,
  onHide,
}: {
  hide: readonly NodeType[];
  graph: Graph | undefined;
  onHide(hide: readonly NodeType[] | undefined): void;
}): ReactNode {
  const counts = new Map(nodeTypes.map(({ type }) => [type, graph?.nodes.filter((node) => node.type === type).length ?? 0]));
  return (
    <div role="group" aria-label="Types" className="flex flex-wrap gap-1">
      {nodeTypes.map(({ type, label, icon: Icon, color }) => {
        const hidden = hide.includes(type);
        const next = hidden ? hide.filter((one) => one !== type) : [...hide, type];
        return (
          <button
            key={type}
            type="button"
            aria-pressed={!hidden}
            onClick={() => onHide(next.length === 0 ? undefined : next)}
            className={classNames(
              'flex h-7 items-center gap-1.5 rounded-md border border-line px-2 text-xs',
              hidden ? 'text-ink-faint line-through' : 'bg-surface text-ink-soft hover:text-ink',
            )}
          >
            <Icon aria-hidden className="size-3.5" style={{ color: hidden ? undefined : color }} />
            {label} <span className="numbers text-ink-faint">{counts.get(type)}</span>
          </button>
        );
      })}
    </div>
  );
}
