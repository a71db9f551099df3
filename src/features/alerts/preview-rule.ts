import type { AlertBody, AlertPreview } from '../../contract/alerts.ts';
import { retentionCutoff } from '../../contract/plans.ts';
import type { TenantReader } from '../../platform/clickhouse/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import type { ScopeState } from './alert-state.ts';
import type { AlertsContext } from './alerts-context.ts';
import { checkRule } from './check-rule.ts';
import { conditionOf } from './condition.ts';
import type { Condition } from './condition.ts';
import { evaluateScopes } from './evaluate-scopes.ts';
import type { EvaluatedScope, ScopeFigure } from './evaluate-scopes.ts';
import { readSilences } from './figures/read-silences.ts';
import { readSteps } from './figures/read-steps.ts';
import type { Steps } from './figures/read-steps.ts';
import { requireEnvironment } from './rule-fields.ts';
import { hourMs } from '../../contract/durations.ts';

const maxSteps = 30 * 24 + 1;

type Fired = AlertPreview['wouldHaveFired'][number];

/**
 * When a rule would have fired over the last 30 days, or over what of them is retained and can be read in time, evaluated every hour up to now (docs/semantics.md,
 * "Alert rules").
 *
 * Errors: as `createRule`, but for its name.
 */
export async function previewRule(
  context: Pick<AlertsContext, 'db' | 'clock' | 'clickhouse' | 'channels'>,
  { projectId, plan }: Tenant,
  body: AlertBody,
): Promise<AlertPreview> {
  const checked = checkRule(body);
  if (checked.environment !== null) await requireEnvironment(context.db, projectId, checked.environment);
  // Nothing is saved, so whoever previews a rule may leave its channels in it.
  await context.channels.checkChannels({ projectId, ruleId: null, administers: true }, body.channels);
  const condition = conditionOf({ ...body, ...checked });
  const toMs = context.clock.now();
  const oldestMs = retentionCutoff(plan, toMs);
  // The first window lies within the retention as a whole.
  const retained = Math.floor((toMs - oldestMs - (condition?.windowMs ?? 0)) / hourMs) + 1;
  const steps = Math.max(1, Math.min(maxSteps, retained));
  const reader = context.clickhouse.forTenant({ projectId, oldestMs, partlyExpired: true });
  const found = condition ? await readWindows(context, reader, condition, { toMs, steps }) : { figures: new Map(), read: steps };
  const wouldHaveFired = condition ? replay(condition, toMs, found) : [];
  return { wouldHaveFired, from: isoOf(toMs - (found.read - 1) * hourMs), to: isoOf(toMs) };
}

const isoOf = (ms: number) => new Date(ms).toISOString();

function readWindows(
  { clock }: Pick<AlertsContext, 'clock'>,
  reader: TenantReader,
  condition: Condition,
  wanted: { toMs: number; steps: number },
): Promise<Steps> {
  return condition.figure.of === 'arrivals' ? readSilences(reader, wanted) : readSteps(reader, clock, condition, wanted);
}

function replay(condition: Condition, toMs: number, { figures, read }: Steps): Fired[] {
  const fired: Fired[] = [];
  const open = new Map<string, Fired>();
  let states: ReadonlyMap<string, ScopeState> = new Map();
  for (let ago = read - 1; ago >= 0; ago--) {
    const nowMs = toMs - ago * hourMs;
    const scopes = evaluateStep(condition, states, figures.get(ago) ?? [], nowMs);
    for (const { scope, action, value } of scopes) {
      if (action.do === 'open') {
        const opened = { at: isoOf(nowMs), resolvedAt: null, scope: scope === '' ? null : scope, value };
        open.set(scope, opened);
        fired.push(opened);
      }
      const incident = open.get(scope);
      if (action.do === 'resolve' && incident) incident.resolvedAt = isoOf(nowMs);
    }
    states = new Map(scopes.map(({ scope, state }) => [scope, state]));
  }
  return fired;
}

function evaluateStep(
  condition: Condition,
  before: ReadonlyMap<string, ScopeState>,
  figures: readonly ScopeFigure[],
  nowMs: number,
): EvaluatedScope[] {
  const options = { nowMs, maxGapMs: hourMs, observed: true, ingestStopped: false };
  const { scopes } = evaluateScopes(condition, before, figures, options);
  return scopes.map((scope) =>
    scope.action.do === 'open' ? { ...scope, state: { ...scope.state, incidentId: 'would be open' } } : scope,
  );
}
