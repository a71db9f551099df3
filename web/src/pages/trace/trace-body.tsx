import { ChevronsDownUp, ChevronsUpDown } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import type { TraceOutline } from '../../api/wire.ts';
import { IconButton } from '../../design/button.tsx';
import { criticalPath } from './critical-path.ts';
import type { SpanView } from './search.ts';
import { SpanDetail } from './span-detail.tsx';
import { SpanFilterBar, useSpanFilter } from './span-filter.tsx';
import { TraceOverview } from './trace-overview.tsx';
import { lazyToolLinks } from './tool-links.ts';
import { traceTree, visibleNodes } from './trace-tree.ts';
import { useSpanPayloads } from './use-payloads.ts';
import { rowHeight, Waterfall } from './waterfall.tsx';

interface TraceBodyProps {
  detail: TraceOutline;
  /** When the trace was loaded, epoch milliseconds. */
  asOfMs: number;
  selected: string | null;
  /** The view of the selected span. */
  view: SpanView;
  onSelect(spanId: string | null): void;
  onView(view: SpanView): void;
}

/** Pixels of the tree with all its rows, its filter and its legend. */
const waterfallHeight = (spans: number) => 110 + spans * rowHeight;

/** Explains the marks of the waterfall. */
function Legend(): ReactNode {
  return (
    <p className="flex flex-wrap gap-x-4 border-t border-line px-3 py-1 text-2xs text-ink-faint">
      <span className="flex items-center gap-1.5">
        <span className="h-0.5 w-4 bg-ink" aria-hidden /> Critical path
      </span>
      <span className="flex items-center gap-1.5">
        <span className="h-3.5 w-0.5 bg-ink" aria-hidden /> First token
      </span>
    </p>
  );
}

/** The span tree on the left, the selected span or the trace on the right. */
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
  const span = useMemo(() => detail.spans.find(({ spanId }) => spanId === selected) ?? null, [detail.spans, selected]);
  const loaded = useSpanPayloads(detail, span);
  const links = useMemo(() => lazyToolLinks(loaded.spans), [loaded.spans]);
  return (
    <div className="flex min-h-0 flex-1 flex-col lg:grid lg:grid-cols-[minmax(0,1.2fr)_minmax(22rem,1fr)]">
      <div
        className="flex min-w-0 flex-col border-line bg-surface max-lg:h-[45dvh] max-lg:min-h-44 max-lg:border-b lg:max-h-none! lg:min-h-0 lg:border-r"
        // In a narrow window the tree is above the detail and leaves it the rest.
        style={{ maxHeight: waterfallHeight(tree.nodes.length) }}
      >
        <SpanFilterBar {...{ filter, setFilter, found }} total={tree.nodes.length}>
          <IconButton label={folded.size > 0 ? 'Expand all' : 'Collapse all'} onClick={foldAll} size="small">
            {folded.size > 0 ? <ChevronsUpDown aria-hidden /> : <ChevronsDownUp aria-hidden />}
          </IconButton>
        </SpanFilterBar>
        <Waterfall {...{ rows, critical, folded, selected, onSelect }} totalMs={tree.totalMs} onFold={fold} />
        <Legend />
      </div>
      <div className="min-w-0 bg-surface max-lg:flex-1 lg:min-h-0">
        {span ? (
          <SpanDetail
            span={span}
            {...{ loaded, links, view, onView, onSelect }}
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
