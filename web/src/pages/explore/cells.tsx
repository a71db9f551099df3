import type { MouseEvent, ReactNode } from 'react';
import { TextPreview } from '../../content/value-preview.tsx';
import { Badge } from '../../design/badge.tsx';
import { Absent } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { TracesLink } from '../../frame/trace-links.tsx';

/** Shows the row of a link beside the list, unless the link is to be followed: it is open already, or a key asks for a new tab. */
export type OpenRow<Row> = (event: MouseEvent, row: Row) => void;

/** The mark of a value that is not there. */
export const none = (what: string): ReactNode => <Absent why={`No ${what}`} />;

/** The beginning of an input or output. */
export function Preview({ json }: { json: string | null }): ReactNode {
  return <TextPreview json={json} why="No text recorded" />;
}

interface NamesProps {
  names: readonly string[];
  what: string;
  /** Leads to the traces with the name. */
  filter?: 'agent';
}

/** The first of several names, and how many others there are. */
export function Names({ names, what, filter }: NamesProps): ReactNode {
  const [first, ...others] = names;
  if (first === undefined) return none(what);
  return (
    <span className="flex items-center gap-1" title={names.join('\n')}>
      {filter === undefined ? <VisibleLine text={first} /> : <TracesLink filter={{ [filter]: first }} text={first} />}
      {others.length > 0 && <Badge>+{others.length}</Badge>}
    </span>
  );
}
