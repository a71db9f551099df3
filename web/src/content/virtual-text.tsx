import { useVirtualizer } from '@tanstack/react-virtual';
import { use, useEffect, useMemo, useRef } from 'react';
import type { ReactNode } from 'react';
import { classNames } from '../design/class-names.ts';
import { FindQuery, hasText } from './find-query.ts';

interface VirtualPartsProps {
  label: string;
  /** The parts of a text, in order. */
  parts: readonly string[];
  /** Approximate height of a part in pixels. */
  estimate(part: string): number;
  /** Shows a part. */
  render(part: string): ReactNode;
  className?: string;
}

/** A text of any length at once, in a box of its own that scrolls: only the visible parts are in the document. */
export function VirtualParts({ label, parts, estimate, render, className }: VirtualPartsProps): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const query = use(FindQuery);
  const virtualizer = useVirtualizer({
    count: parts.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimate(parts[index] ?? ''),
    overscan: 2,
  });
  const found = useMemo(() => parts.findIndex((part) => hasText(part, query)), [parts, query]);
  useEffect(() => {
    if (found >= 0) virtualizer.scrollToIndex(found, { align: 'start' });
    // Only when the search changes.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [found]);
  return (
    <div
      ref={scroller}
      role="group"
      aria-label={label}
      tabIndex={0}
      className={classNames('scroll-thin max-h-[32rem] overflow-auto rounded-md border border-line px-2', className)}
    >
      <div className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => (
          <div
            key={index}
            ref={virtualizer.measureElement}
            data-index={index}
            className="absolute inset-x-0"
            style={{ transform: `translateY(${start}px)` }}
          >
            {render(parts[index] ?? '')}
          </div>
        ))}
      </div>
    </div>
  );
}
