import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { NodeType } from '../../api/parts.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { linkFigures } from '../../range.ts';
import type { FilterSearch } from '../../trace-filters.ts';
import type { GraphSearch } from './search.ts';

const look = 'text-accent hover:underline';

/** Links from a node to its own page and to its traces. */
export function NodeLinks({ type, name, search }: { type: NodeType; name: string; search: GraphSearch }): ReactNode {
  const { at } = useProject();
  const range = linkFigures(search);
  const filter = filterOf(type, name);
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
      {type === 'model' && (
        <Link {...pages.model(at, name)} search={range} className={look}>
          Model page
        </Link>
      )}
      {type === 'prompt' && (
        <Link {...pages.prompt(at, name)} className={look}>
          Prompt page
        </Link>
      )}
      <Link {...pages.traces(at)} search={filter === null ? { ...range, q: name } : { ...range, ...filter }} className={look}>
        {filter === null ? 'Search traces for this name' : 'View traces'}
      </Link>
    </p>
  );
}

/** The filter of the traces with a node; null where traces have none for its type. */
function filterOf(type: NodeType, name: string): FilterSearch | null {
  if (type === 'model') return { model: [name] };
  if (type === 'agent') return { agent: [name] };
  return type === 'prompt' ? { promptName: name } : null;
}
