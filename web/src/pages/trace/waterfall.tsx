import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { classNames } from '../../design/class-names.ts';
import { useWidth } from '../../design/use-width.ts';
import type { Stretch } from './critical-path.ts';
import { SpanRow } from './span-row.tsx';
import type { TreeNode } from './trace-tree.ts';
import { useKeySelection } from './use-key-selection.ts';
import { ZoomScale } from './zoom-scale.tsx';

/** The height of a span's row in pixels. */
export const rowHeight = 26;
/** The share of a row that its bar takes, besides the cost and the padding: the last column of the grid below. */
const barShare = 0.85 / 1.85;
const besideBarPx = 98;

interface WaterfallProps {
  rows: readonly TreeNode[];
  totalMs: number;
  critical: ReadonlyMap<number, readonly Stretch[]>;
  folded: ReadonlySet<string>;
  /** Hidden iterations by the index of the span after which they follow. */
  iterations: ReadonlyMap<number, number>;
  /** Numbers of open comments by span. */
  comments: ReadonlyMap<string | null, number>;
  selected: string | null;
  onSelect(spanId: string): void;
  onFold(spanId: string): void;
  onIterations(spanId: string): void;
}

/** The span tree with its waterfall, as a virtualized list. */
export function Waterfall(props: WaterfallProps): ReactNode {
  const { rows, totalMs, critical, folded, iterations, comments, selected, onSelect, onFold, onIterations } = props;
  const [zoom, setZoom] = useState<Stretch | null>(null);
  const shown = zoom ?? { startMs: 0, endMs: totalMs };
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  const items = virtualizer.getVirtualItems();
  const at = rows.findIndex((row) => row.span.spanId === selected);
  useEffect(() => {
    if (at >= 0) virtualizer.scrollToIndex(at, { align: 'auto' });
    // Only when the selection changes, not when the rows change.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [selected]);
  const { latest, select } = useKeySelection(selected, onSelect);
  const onKeyDown = useCallback(
    (event: KeyboardEvent) => {
      const from = rows.findIndex((row) => row.span.spanId === latest.current);
      const at = rows[from];
      if (
        event.key === 'ArrowRight' &&
        at &&
        iterations.has(at.index) &&
        (at.children.length === 0 || !folded.has(at.span.spanId))
      ) {
        event.preventDefault();
        onIterations(at.span.spanId);
        return;
      }
      const next = keyAction(event.key, rows, from, folded);
      if (next === null) return;
      event.preventDefault();
      if (next.fold) onFold(next.spanId);
      else select(next.spanId);
    },
    [rows, folded, iterations, onFold, onIterations, latest, select],
  );
  useLayoutEffect(() => {
    // The arrow keys work at once, unless the viewer is elsewhere already.
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body || activeElement.matches('main, h1')) {
      scroller.current?.focus({ preventScroll: true });
    }
  }, []);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="grid grid-cols-[minmax(0,1fr)_5.5rem_minmax(0,0.85fr)] border-b border-line pr-2.5 text-2xs text-ink-faint">
        <span className="px-3 py-1" aria-hidden>
          Span
        </span>
        <span className="py-1 text-right" aria-hidden>
          Cost
        </span>
        <ZoomScale shown={shown} isZoomed={zoom !== null} onZoom={setZoom} />
      </div>
      <div
        ref={scroller}
        role="treegrid"
        aria-label="Spans"
        aria-rowcount={rows.length}
        aria-activedescendant={items.some(({ index }) => index === at) ? rowId(at) : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        // With a selected row in sight, that row shows the focus.
        className={classNames(
          'group/tree scroll-thin min-h-0 flex-1 overflow-x-hidden overflow-y-auto outline-offset-[-2px]',
          items.some(({ index }) => index === at) && 'outline-none',
        )}
      >
        <div role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const node = rows[index];
            if (!node) return null;
            return (
              <SpanRow
                key={node.span.spanId}
                id={rowId(index)}
                rowIndex={index + 1}
                node={node}
                fromMs={shown.startMs}
                totalMs={shown.endMs - shown.startMs}
                iterations={iterations.get(node.index) ?? 0}
                onIterations={onIterations}
                comments={comments.get(node.span.spanId) ?? 0}
                barPx={width === null ? null : (width - besideBarPx) * barShare}
                top={start}
                height={rowHeight}
                critical={critical.get(node.index)}
                selected={node.span.spanId === selected}
                folded={folded.has(node.span.spanId)}
                onSelect={select}
                onFold={onFold}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

const rowId = (index: number) => `span-row-${index}`;

/** Tree keys: Up and Down move; Left collapses or moves to the parent; Right expands or moves to the first child. */
function keyAction(
  key: string,
  rows: readonly TreeNode[],
  at: number,
  folded: ReadonlySet<string>,
): { spanId: string; fold: boolean } | null {
  const node = rows[at];
  const to = (index: number) => {
    const target = rows[index];
    return target ? { spanId: target.span.spanId, fold: false } : null;
  };
  const page = 15;
  if (key === 'ArrowDown') return to(at + 1);
  if (key === 'ArrowUp') return to(at - 1);
  if (key === 'Home') return to(0);
  if (key === 'End') return to(rows.length - 1);
  if (key === 'PageDown') return to(Math.min(at + page, rows.length - 1));
  if (key === 'PageUp') return to(Math.max(at - page, 0));
  if (!node) return null;
  const isFolded = folded.has(node.span.spanId);
  if (key === 'ArrowRight' && node.children.length > 0) return isFolded ? { spanId: node.span.spanId, fold: true } : to(at + 1);
  if (key === 'ArrowLeft') {
    if (node.children.length > 0 && !isFolded) return { spanId: node.span.spanId, fold: true };
    return to(rows.findIndex(({ index }) => index === node.parent));
  }
  return null;
}
