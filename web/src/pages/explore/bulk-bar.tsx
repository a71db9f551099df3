import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../../design/button.tsx';
import { countedExactly, formatExact } from '../../format/number-format.ts';
import type { Explore } from './use-explore.ts';
import type { Ticking } from './use-ticks.ts';

interface BulkBarProps {
  explore: Explore;
  ticking: Ticking;
  noun: string;
  /** The number of ticked rows; null where all that match are, and how many is not known. */
  count: number | null;
  /** The number of rows that match; null while it is not known. */
  total: number | null;
}

/** What can be done with the ticked rows. */
export function BulkBar({ ticking, noun, count, total }: BulkBarProps): ReactNode {
  const { ticks, tickAll, clear } = ticking;
  if (!ticks.all && ticks.keys.size === 0) return null;
  return (
    <div
      role="region"
      aria-label="Selection"
      className="flex flex-wrap items-center gap-2 border-t border-line bg-raised px-3 py-2 shadow-high"
    >
      <span role="status" className="font-medium">
        {count === null ? `All ${noun}s that match` : `${countedExactly(count, noun)} selected`}
      </span>
      {!ticks.all && (total === null || total > ticks.keys.size) && (
        <Button look="quiet" size="small" onClick={tickAll}>
          {total === null ? 'Select all that match' : `Select all ${formatExact(total)} that match`}
        </Button>
      )}
      <span className="flex-1" />
      <IconButton label="Clear the selection" size="small" onClick={clear}>
        <X aria-hidden />
      </IconButton>
    </div>
  );
}
