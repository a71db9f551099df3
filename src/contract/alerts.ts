import { z } from 'zod';
import { alertCounts, alertGroups } from './alert-types/alert-type.ts';
import { alertTypeNames } from './alert-types/index.ts';
import { filterExpression, pageQuery, storable, timestamp, uuid } from './common.ts';
import { environmentName } from './environments.ts';
import { channel, channelBodies } from './notifications.ts';

export type { AlertType } from './alert-types/index.ts';

/** Windows with their length in milliseconds. */
export const alertWindows = {
  '5m': 5 * 60_000,
  '15m': 15 * 60_000,
  '30m': 30 * 60_000,
  '1h': 3_600_000,
  '6h': 6 * 3_600_000,
  '24h': 24 * 3_600_000,
} as const;
export type AlertWindow = keyof typeof alertWindows;
const windowNames = Object.keys(alertWindows) as AlertWindow[];

export const noDataModes = ['keep', 'resolve', 'fire'] as const;
export const alertStates = ['ok', 'firing', 'no_data'] as const;

/** Alert rules of a project. */
export const maxAlertRules = 200;

const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not have control characters or unpaired surrogates');
const exactName = z
  .string()
  .min(1)
  .max(256)
  .refine(...storable);
const exactNames = z.array(exactName).min(1).max(100);

export const alertFilter = z.strictObject({
  models: exactNames.optional(),
  agents: exactNames.optional(),
  operations: exactNames.optional(),
  evaluators: exactNames.optional().describe('slugs'),
  guardrails: exactNames.optional().describe('slugs'),
  expression: filterExpression.optional(),
});
export type AlertFilter = z.output<typeof alertFilter>;

const week = 7 * 24 * 60;
const fields = {
  name,
  type: z.enum(alertTypeNames),
  threshold: z.number().nullable(),
  window: z.enum(windowNames).nullable(),
  filter: alertFilter,
  environment: environmentName.nullable().describe('the name of a recorded environment; null: all calls'),
  groupBy: z.enum(alertGroups).nullable(),
  count: z
    .enum(alertCounts)
    .nullable()
    .describe('of type guardrail: checks that triggered one (default), or in which one could not run; null: of other types'),
  minCount: z.number().int().min(1).max(1_000_000_000).nullable().describe('fewer calls, scores or checks are no data'),
  forMinutes: z.number().int().min(0).max(week).describe('how long the condition must hold before the rule fires'),
  recoveryThreshold: z.number().nullable().describe('the value must come back past it to resolve; the threshold by default'),
  noData: z.enum(noDataModes),
  renotifyMinutes: z.number().int().min(1).max(week).nullable().describe('repeats the notification while an incident is open'),
  channels: channelBodies,
  enabled: z.boolean(),
};

/** A rule's body. Which fields a type takes is checked by the verb (docs/semantics.md, "Alert rules"). */
export const alertBody = z.strictObject({
  ...fields,
  threshold: fields.threshold.optional(),
  window: fields.window.optional().describe('15m by default'),
  filter: fields.filter.default({}),
  environment: fields.environment.default(null),
  groupBy: fields.groupBy.default(null),
  count: fields.count.optional(),
  minCount: fields.minCount.optional().describe('depends on the type'),
  forMinutes: fields.forMinutes.default(0),
  recoveryThreshold: fields.recoveryThreshold.optional(),
  noData: fields.noData.default('keep'),
  renotifyMinutes: fields.renotifyMinutes.default(null),
  channels: fields.channels.default([]),
  enabled: fields.enabled.default(true),
});
export type AlertBody = z.output<typeof alertBody>;

export const alertChange = z.strictObject(fields).partial();
export type AlertChange = z.output<typeof alertChange>;

export const alertRule = z.object({
  id: uuid,
  projectId: uuid,
  name: z.string(),
  type: z.enum(alertTypeNames),
  threshold: z.number().nullable(),
  window: z.enum(windowNames).nullable(),
  filter: alertFilter,
  environment: z.string().nullable(),
  groupBy: z.enum(alertGroups).nullable(),
  count: fields.count,
  minCount: z.number().int().nullable(),
  forMinutes: z.number().int(),
  recoveryThreshold: z.number().nullable(),
  noData: z.enum(noDataModes),
  renotifyMinutes: z.number().int().nullable(),
  channels: z.array(channel),
  enabled: z.boolean(),
  state: z.enum(alertStates),
  lastValue: z
    .number()
    .nullable()
    .describe('of the worst scope; of `latency` approximate: an actual duration, at most 0.8 % above the 95th percentile'),
  lastEvaluatedAt: timestamp.nullable(),
  lastError: z.string().nullable().describe('why the last evaluation failed; null when it succeeded'),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type AlertRule = z.output<typeof alertRule>;

export const alertPage = z.object({ alerts: z.array(alertRule).describe('oldest first'), nextCursor: z.string().nullable() });
export type AlertPage = z.output<typeof alertPage>;

export const alertPreview = z.object({
  wouldHaveFired: z.array(
    z.object({
      at: timestamp,
      resolvedAt: timestamp.nullable(),
      scope: z.string().nullable(),
      value: z
        .number()
        .nullable()
        .describe('the figure that fired; of `latency` approximate: within 0.4 % of the 95th percentile'),
    }),
  ),
  from: timestamp,
  to: timestamp,
});
export type AlertPreview = z.output<typeof alertPreview>;

export const alertsParams = z.object({ id: z.string() });
export const alertParams = z.object({ id: z.string(), alertId: z.string() });
export const alertDeliveryParams = z.object({ id: z.string(), alertId: z.string(), deliveryId: z.string() });
export const listAlertsQuery = pageQuery;
export type ListAlertsQuery = z.output<typeof pageQuery>;
