import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { countedExactly } from '../format/number-format.ts';
import { pages } from '../paths.ts';
import { linkRange } from '../range.ts';
import type { RangeSearch } from '../range.ts';
import { useProject } from './project-context.ts';
import type { RangeChanges } from './use-range-changes.ts';

/** Says what the marks of charts are, on one line that has its place while they load. */
export function ChangesNote({ range, loaded }: { range: RangeSearch; loaded: RangeChanges }): ReactNode {
  const { at } = useProject();
  const { changes, isPending, isMissing, isCut } = loaded;
  return (
    <p className="flex min-h-5 flex-wrap items-center gap-x-2 text-xs text-ink-faint">
      {!isPending && (
        <>
          <span>
            {isMissing ? (
              'Changes can’t be loaded.'
            ) : changes.length === 0 ? (
              'No changes in this time range.'
            ) : (
              <>
                <span aria-hidden>▾ </span>
                {isCut
                  ? `The latest ${changes.length} changes are marked.`
                  : `${countedExactly(changes.length, 'change')} in this time range.`}
              </>
            )}
          </span>
          <Link {...pages.changes(at)} search={linkRange(range)} className="text-accent hover:underline">
            View changes
          </Link>
        </>
      )}
    </p>
  );
}
