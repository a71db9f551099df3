import { ChevronsDownUp, ChevronsUpDown, CircleAlert, ListTree } from 'lucide-react';
import { useMemo } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import type { OutlineSpan, SpanKind } from '../../api/parts.ts';
import { kindIcons } from '../../content/span-kinds.ts';
import { IconButton } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { CommentCount } from './comment-count.tsx';
import { criticalPath } from './critical-path.ts';
import { PaneDivider } from './pane-divider.tsx';
import { usePaneShare } from './pane-width.ts';
import { SpanFilterBar, useSpanFilter } from './span-filter.tsx';
import { traceTree } from './trace-tree.ts';
import { useTreeRows } from './use-tree-rows.ts';
import { rowHeight, Waterfall } from './waterfall.tsx';

interface TraceLayoutProps {
  spans: readonly OutlineSpan[];
  status: 'ok' | 'error';
  /** What the detail of the trace itself holds. */
  holds: string;
  /** When the trace was loaded, epoch milliseconds. */
  asOfMs: number;
  selected: string | null;
  /** Numbers of open comments by span; under null those on the trace. */
  comments?: ReadonlyMap<string | null, number>;
  onSelect(spanId: string | null): void;
  /** The tree stands above the detail, as in a panel beside a list; otherwise only in narrow windows. */
  stacked?: boolean;
  /** The detail of the selected span, or of the trace. */
  children(span: OutlineSpan | null): ReactNode;
}

const noComments: ReadonlyMap<string | null, number> = new Map();
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

/** The span tree on the left, a detail on the right. */
export function TraceLayout(props: TraceLayoutProps): ReactNode {
  const { spans, status, holds, asOfMs, selected, comments = noComments, onSelect, stacked = false, children } = props;
  const tree = useMemo(() => traceTree(spans, asOfMs), [spans, asOfMs]);
  const critical = useMemo(() => criticalPath(tree), [tree]);
  const kinds = useMemo(() => spanKinds.filter((kind) => spans.some((span) => span.kind === kind)), [spans]);
  const { filter, setFilter, matches } = useSpanFilter();
  const { rows, found, folded, iterations, fold, openIterations, foldAll } = useTreeRows(tree, matches, selected);
  const span = useMemo(() => spans.find(({ spanId }) => spanId === selected) ?? null, [spans, selected]);
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
          {...{ status, holds }}
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
      <div className={classNames('min-h-0 min-w-0 bg-surface', stacked ? 'flex-1' : 'max-lg:flex-1')}>{children(span)}</div>
    </div>
  );
}

interface TraceRowProps extends Pick<TraceLayoutProps, 'status' | 'holds'> {
  comments: number;
  selected: boolean;
  onSelect(): void;
}

/** Opens the trace itself. */
function TraceRow({ status, holds, comments, selected, onSelect }: TraceRowProps): ReactNode {
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
      <span className="min-w-0 truncate text-ink-faint">{holds}</span>
      {status === 'error' && <CircleAlert className="size-3.5 shrink-0 text-bad" role="img" aria-label="failed" />}
      <CommentCount count={comments} className="ml-auto" />
    </button>
  );
}
