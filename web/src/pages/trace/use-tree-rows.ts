import { useCallback, useMemo, useState } from 'react';
import type { TraceSpan } from '../../api/service.ts';
import { equalIterations } from './iterations.ts';
import { visibleNodes } from './trace-tree.ts';
import type { TraceTree, TreeNode } from './trace-tree.ts';

export interface TreeRows {
  rows: readonly TreeNode[];
  /** Number of spans that match the filter. */
  found: number;
  folded: ReadonlySet<string>;
  /** Hidden iterations by the index of the span after which they follow. */
  iterations: ReadonlyMap<number, number>;
  fold(spanId: string): void;
  /** Shows the iterations that begin with a span. */
  openIterations(spanId: string): void;
  foldAll(): void;
}

/** The rows of the tree: collapsed spans and equal iterations are left out, except for those around the selected span. */
export function useTreeRows(tree: TraceTree, matches: ((span: TraceSpan) => boolean) | null, selected: string | null): TreeRows {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const all = useMemo(() => equalIterations(tree), [tree]);
  const iterations = useMemo(() => {
    const at = tree.nodes.findIndex(({ span }) => span.spanId === selected);
    const holds = (index: number) => index <= at && at < (tree.nodes[index]?.end ?? 0);
    const isOpen = (first: number) => opened.has(tree.nodes[first]?.span.spanId ?? '');
    return new Map([...all].filter(([first, { hidden }]) => !isOpen(first) && !hidden.some(holds)));
  }, [tree, all, opened, selected]);
  const hidden = useMemo(() => new Set([...iterations.values()].flatMap((one) => one.hidden)), [iterations]);
  const { rows, found } = useMemo(() => visibleNodes(tree, folded, matches, hidden), [tree, folded, matches, hidden]);
  const fold = useCallback((spanId: string) => {
    setFolded((before) => {
      const next = new Set(before);
      if (!next.delete(spanId)) next.add(spanId);
      return next;
    });
  }, []);
  const openIterations = useCallback((spanId: string) => setOpened((before) => new Set([...before, spanId])), []);
  const foldAll = () => {
    const parents = tree.nodes.filter(({ children }) => children.length > 0);
    setFolded(folded.size > 0 ? new Set() : new Set(parents.map(({ span }) => span.spanId)));
    if (folded.size > 0) setOpened(new Set([...all.keys()].flatMap((first) => tree.nodes[first]?.span.spanId ?? [])));
  };
  const counts = useMemo(
    () => new Map(matches === null ? [...iterations].map(([first, { count }]) => [first, count]) : []),
    [iterations, matches],
  );
  return { rows, found, folded, iterations: counts, fold, openIterations, foldAll };
}
