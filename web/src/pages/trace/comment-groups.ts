import type { OutlineSpan } from '../../api/parts.ts';
import type { Comment } from '../../api/service.ts';

/** The comments on one span, or on the trace as a whole. */
export interface CommentGroup {
  /** null: the trace as a whole. */
  spanId: string | null;
  name: string;
  comments: readonly Comment[];
}

/** The comments of a trace by what they are on: the trace first, then the spans in their order. */
export function commentGroups(
  comments: readonly Comment[],
  spans: ReadonlyArray<Pick<OutlineSpan, 'spanId' | 'name'>>,
): CommentGroup[] {
  const byTarget = Map.groupBy(comments, ({ spanId }) => spanId);
  const places = new Map(spans.map(({ spanId, name }, place) => [spanId, { place, name }]));
  return [...byTarget]
    .map(([spanId, ofTarget]) => {
      const known = spanId === null ? { place: -1, name: 'Trace' } : places.get(spanId);
      // A span beyond the limit of the answer, or deleted meanwhile.
      return { spanId, comments: ofTarget, ...(known ?? { place: spans.length, name: spanId ?? '' }) };
    })
    .toSorted((a, b) => a.place - b.place)
    .map(({ spanId, name, comments: ofTarget }) => ({ spanId, name, comments: ofTarget }));
}

/** The number of comments that are not resolved, by span; under null those on the trace as a whole. */
export function openComments(comments: readonly Comment[]): ReadonlyMap<string | null, number> {
  const counts = new Map<string | null, number>();
  for (const { spanId, resolvedAt } of comments) if (resolvedAt === null) counts.set(spanId, (counts.get(spanId) ?? 0) + 1);
  return counts;
}
