import { ChevronsDownUp, ChevronsUpDown, CircleAlert, ListTree } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import type { SpanKind, WholeOutline } from '../../api/parts.ts';
import { IconButton } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { CommentCount } from './comment-count.tsx';
import { criticalPath } from './critical-path.ts';
import { kindIcons } from '../../content/span-kinds.ts';
import { PaneDivider } from './pane-divider.tsx';
import { usePaneShare } from './pane-width.ts';
import type { SpanView } from './search.ts';
import { SpanDetail } from './span-detail.tsx';
import { SpanFilterBar, useSpanFilter } from './span-filter.tsx';
import { TraceOverview } from './trace-overview.tsx';
import { lazyToolLinks } from './tool-links.ts';
import { traceTree } from './trace-tree.ts';
import { useSpanPayloads } from './use-payloads.ts';
import { useTreeRows } from './use-tree-rows.ts';
import { rowHeight, Waterfall } from './waterfall.tsx';

interface TraceBodyProps {
  detail: WholeOutline;
  /** When the trace was loaded, epoch milliseconds. */
  asOfMs: number;
  selected: string | null;
  /** The view of the selected span. */
  view: SpanView;
  /** Numbers of open comments by span; under null those on the trace. */
  comments: ReadonlyMap<string | null, number>;
  /** A text that is marked in the contents at first; `''`: none. */
  query: string;
  onSelect(spanId: string | null): void;
  onView(spanId: string, view: SpanView): void;
  onEscape(): void;
  /** The tree stands above the detail, as in a panel beside a list; otherwise only in narrow windows. */
  stacked?: boolean;
}

const spanKinds = Object.keys(kindIcons) as SpanKind[];

/** Pixels of the tree with all its rows, its filter and its legend. */
const waterfallHeight = (spans: number) => 138 + spans * rowHeight;

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
export function TraceBody(props: TraceBodyProps): ReactNode {
  const { detail, asOfMs, selected, view, query, comments, onSelect, onView, onEscape, stacked = false } = props;
  const tree = useMemo(() => traceTree(detail.spans, asOfMs), [detail.spans, asOfMs]);
  const critical = useMemo(() => criticalPath(tree), [tree]);
  const kinds = useMemo(() => spanKinds.filter((kind) => detail.spans.some((span) => span.kind === kind)), [detail.spans]);
  const { filter, setFilter, matches } = useSpanFilter();
  const { rows, found, folded, iterations, fold, openIterations, foldAll } = useTreeRows(tree, matches, selected);
  const span = useMemo(() => detail.spans.find(({ spanId }) => spanId === selected) ?? null, [detail.spans, selected]);
  const loaded = useSpanPayloads(detail, span);
  const links = useMemo(() => lazyToolLinks(loaded.spans), [loaded.spans]);
  const [text, setText] = useState(query);
  const [share, setShare] = usePaneShare();
  return (
    <div
      className={classNames(
        'flex min-h-0 min-w-0 flex-1 flex-col',
        !stacked && 'lg:grid lg:grid-cols-[minmax(0,var(--tree))_auto_minmax(0,1fr)]',
      )}
      style={{ '--tree': `${share * 100}%` } as CSSProperties}
    >
      <div
        className={classNames(
          'flex min-w-0 flex-col border-line bg-surface',
          stacked
            ? 'h-[36%] min-h-44 shrink-0 border-b'
            : 'max-lg:h-[40dvh] max-lg:min-h-44 max-lg:border-b lg:max-h-none! lg:min-h-0',
        )}
        // In a narrow window the tree is above the detail and leaves it the rest.
        style={{ maxHeight: waterfallHeight(rows.length) }}
      >
        <SpanFilterBar {...{ filter, setFilter, found, kinds }} total={tree.nodes.length}>
          <IconButton label={folded.size > 0 ? 'Expand all' : 'Collapse all'} onClick={foldAll} size="small">
            {folded.size > 0 ? <ChevronsUpDown aria-hidden /> : <ChevronsDownUp aria-hidden />}
          </IconButton>
        </SpanFilterBar>
        <TraceRow
          trace={detail.trace}
          comments={comments.get(null) ?? 0}
          selected={span === null}
          onSelect={() => onSelect(null)}
        />
        <Waterfall
          {...{ rows, critical, folded, iterations, comments, selected, onSelect }}
          totalMs={tree.totalMs}
          onFold={fold}
          onIterations={openIterations}
        />
        <Legend />
      </div>
      {!stacked && <PaneDivider share={share} onShare={setShare} />}
      <div className={classNames('min-h-0 min-w-0 bg-surface', stacked ? 'flex-1' : 'max-lg:flex-1')}>
        {span ? (
          <SpanDetail
            span={span}
            {...{ loaded, links, view, text, onSelect }}
            onText={setText}
            onView={(next) => onView(span.spanId, next)}
            scores={detail.scores.filter(({ spanId }) => spanId === span.spanId)}
            onClose={() => onSelect(null)}
            onEscape={onEscape}
          />
        ) : (
          <TraceOverview detail={detail} onSelect={onSelect} />
        )}
      </div>
    </div>
  );
}

interface TraceRowProps {
  trace: WholeOutline['trace'];
  comments: number;
  selected: boolean;
  onSelect(): void;
}

/** Opens the trace itself: its fields, scores and outcomes. */
function TraceRow({ trace, comments, selected, onSelect }: TraceRowProps): ReactNode {
  return (
    <button
      type="button"
      aria-pressed={selected}
      onClick={onSelect}
      className={classNames(
        'flex h-7 shrink-0 items-center gap-1.5 border-b border-line px-2.5 text-left',
        selected ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      <ListTree className="size-3.5 shrink-0 text-ink-faint" aria-hidden />
      <span className="shrink-0 font-medium">Trace</span>
      <span className="min-w-0 truncate text-ink-faint">scores, outcomes, input and output</span>
      {trace.status === 'error' && <CircleAlert className="size-3.5 shrink-0 text-bad" role="img" aria-label="failed" />}
      <CommentCount count={comments} className="ml-auto" />
    </button>
  );
}
