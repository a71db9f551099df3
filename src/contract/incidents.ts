import { z } from 'zod';
import { alertTypeNames } from './alert-types/index.ts';
import { change } from './changes.ts';
import { pageQuery, rangeQuery, storable, timestamp, uuid } from './common.ts';
import { incidentStatuses } from './kinds.ts';
import { maxNoteCharacters } from './limits.ts';

export const incidentEventKinds = ['opened', 'reopened', 'notified', 'acknowledged', 'resolved'] as const;
export type IncidentEventKind = (typeof incidentEventKinds)[number];

const note = z
  .string()
  .max(maxNoteCharacters)
  .refine(...storable);

export const incident = z.object({
  id: uuid,
  projectId: uuid,
  ruleId: uuid,
  ruleName: z.string(),
  type: z.enum(alertTypeNames),
  scope: z.string().nullable().describe("the value of the rule's groupBy; null without one"),
  environment: z.string().nullable(),
  status: z.enum(incidentStatuses),
  openedAt: timestamp,
  acknowledgedAt: timestamp.nullable(),
  acknowledgedBy: z.string().nullable(),
  resolvedAt: timestamp.nullable(),
  resolvedBy: z.string().nullable().describe('a user, or system'),
  resolution: z.string().nullable(),
  value: z.number().nullable().describe('the latest figure'),
  peakValue: z.number().nullable().describe('the worst figure'),
  threshold: z.number().nullable(),
  summary: z.string(),
  sampleTraceIds: z.array(z.string()).describe('at most 20, the worst first'),
  changes: z.array(change).describe('those of the 24 hours before it opened, newest first'),
  events: z.array(
    z.object({ at: timestamp, kind: z.enum(incidentEventKinds), by: z.string().nullable(), note: z.string().nullable() }),
  ),
});
export type Incident = z.output<typeof incident>;

export const incidentPage = z.object({
  incidents: z.array(incident).describe('newest first'),
  nextCursor: z.string().nullable(),
});
export type IncidentPage = z.output<typeof incidentPage>;

export const listIncidentsQuery = pageQuery.extend({
  status: z.enum(incidentStatuses).optional(),
  ruleId: uuid.optional(),
  environment: z
    .string()
    .max(256)
    .refine(...storable)
    .optional(),
  from: rangeQuery.from.describe('earliest opening, inclusive'),
  to: rangeQuery.to.describe('latest opening, inclusive to the millisecond'),
});
export type ListIncidentsQuery = z.output<typeof listIncidentsQuery>;

export const incidentChange = z.strictObject({ status: z.enum(['open', 'acknowledged', 'resolved']), note: note.optional() });
export type IncidentChange = z.output<typeof incidentChange>;

export const incidentsParams = z.object({ id: z.string() });
export const incidentParams = z.object({ id: z.string(), incidentId: z.string() });
