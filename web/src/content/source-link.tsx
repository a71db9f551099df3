import type { ReactNode } from 'react';
import { Absent } from '../design/figures.tsx';
import { VisibleLine } from '../design/visible.tsx';

/** Where a retirement date is stated: a link, or text that a project wrote. */
export function SourceLink({ source }: { source: string | null }): ReactNode {
  if (source === null) return <Absent why="No source recorded" />;
  if (!/^https?:\/\//.test(source)) return <VisibleLine text={source} />;
  return (
    <a href={source} target="_blank" rel="noreferrer" title={source} className="text-accent hover:underline">
      Source
    </a>
  );
}
