import type { TenantTables } from '../../../platform/clickhouse/index.ts';
import { tenantTablesOf } from '../../../platform/tables/index.ts';
import { spanTexts } from '../search/span-texts.ts';
import { calls } from './calls.ts';
import { guardrailActivity } from './guardrail-activity.ts';
import { nodeCalls } from './node-calls.ts';
import { outcomes } from './outcomes.ts';
import { quality } from './quality.ts';
import { scores } from './scores.ts';
import { spanAgents } from './span-agents.ts';
import { spanHeaders } from './span-headers.ts';
import { spans } from './spans.ts';
import { traceTags } from './trace-tags.ts';
import { traces } from './traces.ts';

/** The tables whose rows are written through the write-ahead log, by name. */
export const loggedTables = { spans, scores, guardrail_activity: guardrailActivity, outcomes } as const;
export type LoggedTable = keyof typeof loggedTables;

/** The tables of this feature, declared for the tenant filter. */
export const traceTables: TenantTables = {
  ...tenantTablesOf([spans, spanAgents, scores, calls, nodeCalls, quality, traces, traceTags, guardrailActivity, outcomes]),
  [spanTexts.table]: spanTexts.tenant,
  [spanHeaders.table]: spanHeaders.tenant,
};
