import type { AlertTypeDescription } from './alert-type.ts';
import { cost } from './cost.ts';
import { errorRate } from './error-rate.ts';
import { guardrail } from './guardrail.ts';
import { ingestStopped } from './ingest-stopped.ts';
import { latency } from './latency.ts';
import { modelLifecycle } from './model-lifecycle.ts';
import { quality } from './quality.ts';

/** Every type, in the order in which the API and the dashboard list them. */
const all = [errorRate, latency, cost, quality, guardrail, ingestStopped, modelLifecycle] as const;
export type AlertType = (typeof all)[number]['name'];

export const alertTypeNames: readonly AlertType[] = all.map(({ name }) => name);

/** The types by name (docs/semantics.md, "Alert rules"). */
export const alertTypes = Object.fromEntries(all.map((type) => [type.name, type])) as Readonly<
  Record<AlertType, AlertTypeDescription<AlertType>>
>;
