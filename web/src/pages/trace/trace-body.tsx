import { ChevronsDownUp, ChevronsUpDown } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import type { TraceDetail } from '../../api/wire.ts';
import { IconButton } from '../../design/button.tsx';
import { criticalPath } from './critical-path.ts';
import type { SpanView } from './search.ts';
import { SpanDetail } from './span-detail.tsx';
import { SpanFilterBar, useSpanFilter } from './span-filter.tsx';
import { TraceOverview } from './trace-overview.tsx';
import { linksWhenAsked } from './tool-links.ts';
import { traceTree, visibleNodes } from './trace-tree.ts';
import { Waterfall } from './waterfall.tsx';

interface TraceBodyProps {
  detail: TraceDetail;
  /** When it was read, epoch milliseconds. */
  asOfMs: number;
  selected: string | null;
  /** Of the span. */
  view: SpanView;
  onSelect(spanId: string | null): void;
  onView(view: SpanView): void;
}

/** The spans on the left, what is chosen of them on the right. */
export function TraceBody({ detail, asOfMs, selected, view, onSelect, onView }: TraceBodyProps): ReactNode {
  const tree = useMemo(() => traceTree(detail.spans, asOfMs), [detail.spans, asOfMs]);
  const critical = useMemo(() => criticalPath(tree), [tree]);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const { filter, setFilter, matches } = useSpanFilter();
  const { rows, found } = useMemo(() => visibleNodes(tree, folded, matches), [tree, folded, matches]);
  const fold = useCallback((spanId: string) => {
    setFolded((before) => {
      const next = new Set(before);
      if (!next.delete(spanId)) next.add(spanId);
      return next;
    });
  }, []);
  const foldAll = () => {
    const parents = tree.nodes.filter(({ children }) => children.length > 0);
    setFolded(folded.size > 0 ? new Set() : new Set(parents.map(({ span }) => span.spanId)));
  };
  const links = useMemo(() => linksWhenAsked(detail.spans), [detail.spans]);
  const span = useMemo(() => detail.spans.find(({ spanId }) => spanId === selected), [detail.spans, selected]);
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1.2fr)_minmax(22rem,1fr)]">
      <div className="flex min-h-0 min-w-0 flex-col border-r border-line bg-surface">
        <SpanFilterBar {...{ filter, setFilter, found }} total={tree.nodes.length}>
          <IconButton label={folded.size > 0 ? 'Unfold all' : 'Fold all'} onClick={foldAll} size="small">
            {folded.size > 0 ? <ChevronsUpDown aria-hidden /> : <ChevronsDownUp aria-hidden />}
          </IconButton>
        </SpanFilterBar>
        <Waterfall {...{ rows, critical, folded, selected, onSelect }} totalMs={tree.totalMs} onFold={fold} />
        <p className="border-t border-line px-3 py-1 text-2xs text-ink-faint">
          The line under a bar is its part of the critical path; the stroke in a bar is its first token.
        </p>
      </div>
      <div className="min-h-0 min-w-0 bg-surface">
        {span ? (
          <SpanDetail
            span={span}
            spans={detail.spans}
            {...{ links, view, onView, onSelect }}
            scores={detail.scores.filter(({ spanId }) => spanId === span.spanId)}
            onClose={() => onSelect(null)}
          />
        ) : (
          <TraceOverview detail={detail} onSelect={onSelect} />
        )}
      </div>
    </div>
  );
}
