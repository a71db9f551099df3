import type { ScoreHeader } from '../tables/scores.ts';
import type { SpanHeader } from '../tables/spans.ts';
import type { TagChanges } from '../tables/trace-tags.ts';

/** The stored spans and scores of one trace, each in its latest version. */
export interface StoredTrace {
  projectId: string;
  traceId: string;
  spans: readonly SpanHeader[];
  scores: readonly ScoreHeader[];
  /** What people changed in its tags. */
  tags: TagChanges;
}
