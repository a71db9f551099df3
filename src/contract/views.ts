import { z } from 'zod';
import { oneLine, pageQuery, readRange, storable, timestamp, uuid } from './common.ts';
import type { FilterSubject } from './filter/fields.ts';

/** What a saved view is of. */
export const viewSubjects = ['spans', 'traces', 'sessions'] as const;
export type ViewSubject = (typeof viewSubjects)[number];

/** Whose fields the filter of a view has: one of sessions asks for sessions with such a trace. */
export const filterSubjectOf = (on: ViewSubject): FilterSubject => (on === 'spans' ? 'spans' : 'traces');

export const viewVisibilities = ['private', 'project'] as const;

/** Project views of a project, and private views of a person in it. */
export const maxViews = 200;
const maxColumns = 100;

const text = z.string().refine(...storable);
const fields = {
  name: oneLine(100),
  on: z.enum(viewSubjects),
  filter: text.describe('in the language of docs/filter.md'),
  columns: z.array(text.min(1).max(400)).max(maxColumns).describe('names of columns in their order'),
  sort: text.max(200).nullable().describe('an order of the list; null: its default'),
  range: text
    .refine((range) => readRange(range) !== null, 'must be 1d to 365d, 1h to 720h or 1m to 43200m')
    .nullable()
    .describe('as the range of the list, such as 7d or 6h; null: its default'),
  visibility: z.enum(viewVisibilities).describe('private: its maker alone sees it'),
  pinned: z.boolean(),
};

export const viewBody = z.strictObject({
  ...fields,
  filter: fields.filter.default(''),
  columns: fields.columns.default([]),
  sort: fields.sort.default(null),
  range: fields.range.default(null),
  visibility: fields.visibility.default('private'),
  pinned: fields.pinned.default(false),
});
export type ViewBody = z.output<typeof viewBody>;

export const viewChange = z.strictObject(fields).partial();
export type ViewChange = z.output<typeof viewChange>;

export const view = z.object({
  id: uuid,
  ...fields,
  name: z.string(),
  createdBy: z.string().describe("the maker's email"),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type ViewRecord = z.output<typeof view>;

export const viewPage = z.object({
  views: z.array(view).describe('pinned ones first, then by name'),
  nextCursor: z.string().nullable(),
});

export const viewsParams = z.object({ id: z.string() });
export const viewParams = z.object({ id: z.string(), viewId: z.string() });
export const listViewsQuery = pageQuery.extend({
  on: z.enum(viewSubjects).optional().describe('views of this list alone'),
});
export type ListViewsQuery = z.output<typeof listViewsQuery>;
