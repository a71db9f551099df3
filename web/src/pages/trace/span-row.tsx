import { ChevronDown, ChevronRight, CircleAlert } from 'lucide-react';
import { memo } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import { classNames } from '../../design/class-names.ts';
import { countedExactly, formatCount, formatDuration, formatExact, formatUsd } from '../../format/number-format.ts';
import { visibleText } from '../../format/visible-text.ts';
import { CommentCount } from './comment-count.tsx';
import type { Stretch } from './critical-path.ts';
import { kindColor, kindIcons } from '../../content/span-kinds.ts';
import type { TreeNode } from './trace-tree.ts';

const indentPx = 14;
/** Deeper spans are not indented further, which would leave no room for their names. */
const maxIndents = 16;

interface SpanRowProps {
  id: string;
  node: TreeNode;
  /** The part of the trace that the bars show: its start and its length in milliseconds. */
  fromMs: number;
  totalMs: number;
  /** Iterations hidden after this one; 0: none. */
  iterations: number;
  onIterations(spanId: string): void;
  /** Its open comments. */
  comments: number;
  /** The width of the waterfall in pixels; null before it is measured. */
  barPx: number | null;
  selected: boolean;
  folded: boolean;
  /** Own intervals on the critical path; undefined if the span is not on it. */
  critical: readonly Stretch[] | undefined;
  top: number;
  height: number;
  rowIndex: number;
  onSelect(spanId: string): void;
  onFold(spanId: string): void;
}

/** One span: tree cell, cost with descendants, and waterfall bar. */
export const SpanRow = memo(function SpanRow(props: SpanRowProps): ReactNode {
  const {
    id,
    node,
    fromMs,
    totalMs,
    iterations,
    onIterations,
    comments,
    barPx,
    selected,
    folded,
    critical,
    top,
    height,
    rowIndex,
    onSelect,
    onFold,
  } = props;
  const { span, rollup } = node;
  const hasChildren = node.children.length > 0;
  return (
    // The grid handles the keyboard.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      role="row"
      aria-rowindex={rowIndex}
      aria-level={node.depth + 1}
      aria-selected={selected}
      {...(hasChildren ? { 'aria-expanded': !folded } : {})}
      onClick={() => onSelect(span.spanId)}
      style={{ transform: `translateY(${top}px)`, height }}
      className={classNames(
        'absolute inset-x-0 grid grid-cols-[minmax(0,1fr)_5.5rem_minmax(0,0.85fr)] items-center border-b border-line/60',
        selected ? 'bg-accent-soft outline-accent outline-offset-[-2px] group-focus-visible/tree:outline-2' : 'hover:bg-hover',
      )}
    >
      <div
        role="gridcell"
        className="flex min-w-0 items-center gap-1 pr-2"
        style={{ paddingLeft: 6 + Math.min(node.depth, maxIndents) * indentPx }}
      >
        <FoldButton {...{ hasChildren, folded }} onFold={() => onFold(span.spanId)} />
        <KindIcon node={node} />
        <span
          className={classNames('truncate', span.status === 'error' && 'font-medium text-bad')}
          title={visibleText(span.name)}
        >
          <bdi>{visibleText(span.name)}</bdi>
        </span>
        {folded && (
          <span className="shrink-0 rounded bg-sunken px-1 text-2xs text-ink-faint">
            +{formatCount(node.end - node.index - 1)}
          </span>
        )}
        {iterations > 0 && <MoreIterations count={iterations} onShow={() => onIterations(node.span.spanId)} />}
        <CommentCount count={comments} />
      </div>
      <div role="gridcell" className="numbers truncate text-right text-2xs text-ink-faint" title={rollupTitle(node)}>
        {rollup.calls > 0 && (rollup.unpriced === rollup.calls ? 'unpriced' : formatUsd(rollup.costUsd))}
      </div>
      <div role="gridcell" className="h-full min-w-0 overflow-hidden pr-2 pl-3">
        <Bar {...{ node, fromMs, totalMs, barPx, critical }} />
      </div>
    </div>
  );
});

/** Stands for equal iterations that are not shown. The right arrow key shows them too. */
function MoreIterations({ count, onShow }: { count: number; onShow(): void }): ReactNode {
  return (
    <>
      <span className="sr-only">{countedExactly(count, 'equal iteration')} hidden</span>
      <span
        aria-hidden
        title={`Show ${countedExactly(count, 'equal iteration')}`}
        onClick={(event) => {
          event.stopPropagation();
          onShow();
        }}
        className="shrink-0 rounded bg-accent-soft px-1 text-2xs whitespace-nowrap text-accent hover:underline"
      >
        +{formatCount(count)} equal
      </span>
    </>
  );
}

function FoldButton({ hasChildren, folded, onFold }: { hasChildren: boolean; folded: boolean; onFold(): void }): ReactNode {
  if (!hasChildren) return <span className="w-4 shrink-0" />;
  const Chevron = folded ? ChevronRight : ChevronDown;
  // Not focusable: the arrow keys collapse and expand.
  return (
    <span
      aria-hidden
      onClick={(event) => {
        event.stopPropagation();
        onFold();
      }}
      className="flex size-4 shrink-0 items-center justify-center rounded text-ink-faint hover:bg-sunken hover:text-ink"
    >
      <Chevron className="size-3.5" />
    </span>
  );
}

function KindIcon({ node: { span, rollup } }: { node: TreeNode }): ReactNode {
  const Icon = kindIcons[span.kind];
  return (
    <>
      <Icon className="size-3.5 shrink-0" style={{ color: kindColor(span.kind) }} role="img" aria-label={span.kind} />
      {span.status === 'error' ? (
        <CircleAlert className="size-3.5 shrink-0 text-bad" role="img" aria-label="failed" />
      ) : (
        rollup.errors > 0 && (
          <span
            className="size-1.5 shrink-0 rounded-full bg-bad"
            role="img"
            aria-label="descendant failed"
            title="A descendant span failed"
          />
        )
      )}
    </>
  );
}

function rollupTitle({ rollup }: TreeNode): string {
  if (rollup.calls === 0) return 'No model calls';
  const unpriced = rollup.unpriced > 0 ? ` (${formatExact(rollup.unpriced)} unpriced)` : '';
  return `${countedExactly(rollup.calls, 'call')}${unpriced} · $${formatExact(rollup.costUsd)} · ${formatExact(rollup.inputTokens)} input tokens · ${formatExact(rollup.outputTokens)} output tokens`;
}

function Bar({
  node,
  fromMs,
  totalMs,
  barPx,
  critical,
}: Pick<SpanRowProps, 'node' | 'fromMs' | 'totalMs' | 'barPx' | 'critical'>): ReactNode {
  const { span, startMs, endMs } = node;
  const place = (ms: number) => Math.min(102, Math.max(-2, ((ms - fromMs) / totalMs) * 100));
  const left = place(startMs);
  const width = Math.max(place(endMs) - left, 0.15);
  const label =
    span.durationMs === null ? `running, ${formatDuration(Math.round(endMs - startMs))}` : formatDuration(span.durationMs);
  const labelled = labelPlace(left, width, labelShare(label, barPx));
  return (
    <div
      className="relative h-full"
      title={`${label} · starts at ${formatDuration(startMs)}${critical ? ' · on the critical path' : ''}`}
    >
      <div
        className={classNames('absolute top-1/2 h-3 min-w-0.5 -translate-y-1/2 rounded-sm', span.durationMs === null && 'pulse')}
        style={{ left: `${left}%`, width: `${width}%`, backgroundColor: kindColor(span.kind), opacity: critical ? 0.9 : 0.45 }}
      />
      {critical?.map((stretch) => (
        <div
          key={stretch.startMs}
          className="absolute bottom-0.5 h-0.5 min-w-px bg-ink"
          style={{ left: `${place(stretch.startMs)}%`, width: `${place(stretch.endMs) - place(stretch.startMs)}%` }}
        />
      ))}
      {span.timeToFirstTokenMs !== null && (
        <div
          className="absolute top-1/2 h-4 w-0.5 -translate-y-1/2 bg-ink"
          style={{ left: `${place(startMs + span.timeToFirstTokenMs)}%` }}
          title={`First token: ${formatDuration(span.timeToFirstTokenMs)}`}
        />
      )}
      <span
        className={classNames(
          'numbers absolute top-1/2 -translate-y-1/2 px-1 text-2xs whitespace-nowrap',
          labelled.inside ? 'mx-1 rounded-sm bg-surface/90 leading-none text-ink' : 'text-ink-faint',
        )}
        style={labelled.style}
      >
        {label}
      </span>
    </div>
  );
}

/** Approximate width of a label's character, and of the space around it, in pixels. */
const characterPx = 6.5;
const labelPaddingPx = 10;

/** The width of a label in percent of the waterfall. */
function labelShare(label: string, barPx: number | null): number {
  return barPx === null || barPx <= 0 ? 20 : ((label.length * characterPx + labelPaddingPx) / barPx) * 100;
}

/** Places the label after the bar, before it, or inside it if it fills the row. @param needed its width; all in percent */
function labelPlace(left: number, width: number, needed: number): { inside: boolean; style: CSSProperties } {
  if (left + width + needed <= 98) return { inside: false, style: { left: `${left + width}%` } };
  if (left >= needed) return { inside: false, style: { right: `${100 - left}%` } };
  return { inside: true, style: { right: `${100 - left - width}%` } };
}
