import { createHash } from 'node:crypto';
import { reachFailpoint } from '../../platform/failpoint/failpoint.ts';
import { TableRows } from '../../platform/tables/index.ts';
import type { BatchWriterOptions } from './batches/batch-writer.ts';
import { DerivedRows } from './derivation/derived-rows.ts';
import { storedSpans, storedTags } from './derivation/stored-headers.ts';
import { maxTags, viewTrace } from './derivation/trace-view.ts';
import type { TagChange, TagFailure } from './pipeline-port.ts';
import { noTagChanges, traceTags } from './tables/trace-tags.ts';
import type { TagChanges } from './tables/trace-tags.ts';

/** Removed tags that are kept of a trace: they may come again with its spans. */
const maxRemoved = 1_000;

/**
 * Changes the tags of traces. The changes are written first, and then the summaries with them: what was interrupted is done again, with the same result. To be
 * called while no batch is written by this process, and by one process at a time.
 *
 * @param version above all that are written, below all later ones
 * @param nowMs epoch milliseconds
 * @returns the traces whose tags were not changed
 */
export async function changeTags(
  { clickhouse, builder, notes }: Pick<BatchWriterOptions, 'clickhouse' | 'builder' | 'notes'>,
  projectId: string,
  traceIds: readonly string[],
  change: TagChange,
  { version, nowMs }: { version: number; nowMs: number },
): Promise<Map<string, TagFailure>> {
  const failed = new Map<string, TagFailure>();
  for (const traceId of traceIds) await builder.forget(projectId, traceId);
  const begun = await notes?.begin();
  const spansOf = await storedSpans(clickhouse, projectId, traceIds);
  const tagsOf = await storedTags(clickhouse, projectId, traceIds);
  const derived = new DerivedRows(Math.max(version, begun?.version ?? 0));
  const rows = new TableRows(traceTags);
  const changed: string[] = [];
  for (const traceId of traceIds) {
    const spans = spansOf.get(traceId);
    const before = tagsOf.get(traceId);
    if (spans === undefined) {
      failed.set(traceId, 'missing');
      continue;
    }
    const after = changedTags(before ?? noTagChanges, change);
    if (after.added.length > maxTags || after.removed.length > maxRemoved) {
      failed.set(traceId, 'full');
      continue;
    }
    changed.push(traceId);
    const above = Math.max(version, (before?.version ?? 0) + 1);
    rows.add({ projectId, version: above, deleted: false }, { traceId, changedMs: nowMs, ...after });
    derived.add(projectId, traceId, viewTrace(spans, [], before), viewTrace(spans, [], after));
  }
  if (changed.length === 0) return failed;
  const token = `tags-${projectId}-${createHash('sha256').update(JSON.stringify(changed)).digest('hex')}-${version}`;
  for (const insert of rows.inserts(token)) await clickhouse.insertRows(insert);
  reachFailpoint('tags-written');
  for (const insert of derived.inserts(token)) await clickhouse.insertRows(insert);
  if (begun) await notes?.add([{ projectId, traceIds: changed }], begun.beganAt);
  return failed;
}

function changedTags({ added, removed }: TagChanges, { add = [], remove = [] }: TagChange): TagChanges {
  const without = (tags: readonly string[], left: readonly string[]) => tags.filter((tag) => !left.includes(tag));
  return {
    added: [...new Set([...without(added, remove), ...add])],
    removed: [...new Set([...without(removed, add), ...remove])],
  };
}
