import { Table } from '../../../platform/tables/index.ts';

/** What people changed in the tags of a trace. */
export interface TagChanges {
  /** Tags beside those of its spans. */
  added: readonly string[];
  /** Tags of its spans that it does not have. */
  removed: readonly string[];
}

export const noTagChanges: TagChanges = { added: [], removed: [] };

interface TraceTagsRow extends TagChanges {
  traceId: string;
  /** Of the last change, epoch milliseconds. */
  changedMs: number;
}

const blank: TraceTagsRow = { traceId: '', changedMs: 0, ...noTagChanges };

/** Table `trace_tags`: a row is what people changed in the tags of one trace. */
export const traceTags = new Table({
  name: 'trace_tags',
  timeColumn: 'start_time',
  layoutVersion: 1,
  blank,
  tombstone: {
    columns: ['project_id', 'trace_id', 'version', 'is_deleted', 'start_time'],
    row: ({ traceId, changedMs }: Pick<TraceTagsRow, 'traceId' | 'changedMs'>): TraceTagsRow => ({
      ...blank,
      traceId,
      changedMs,
    }),
  },
  columns: (to, stamp, row) => {
    to.uuid('project_id', stamp.projectId);
    const traceId = to.string('trace_id', row.traceId);
    const version = to.uint64('version', stamp.version);
    to.boolean('is_deleted', stamp.deleted);
    const changedMs = to.milliseconds('start_time', row.changedMs);
    const added = to.strings('added', row.added);
    return { traceId, version, changedMs, added, removed: to.strings('removed', row.removed) };
  },
});

export type TraceTagsHeader = ReturnType<typeof traceTags.parse>;
