import { firesAt, isWorse } from '../../contract/alert-types/alert-type.ts';
import { alertTypes } from '../../contract/alert-types/index.ts';
import type { AlertRule } from '../../contract/alerts.ts';
import { compareCodePoints } from '../../platform/text/index.ts';
import { step } from './alert-state.ts';
import type { Observation, ScopeAction, ScopeState, StepOptions } from './alert-state.ts';
import type { Condition } from './condition.ts';

/** Scopes of one rule (docs/semantics.md, "Alert rules"). */
export const maxScopes = 50;

/** What a query found in a scope; `''` is the scope of a rule without groups. */
export interface ScopeFigure {
  scope: string;
  /** Calls, scores or checks; of arrivals 1. */
  count: number;
  /** null without a count. */
  value: number | null;
  /** The value is too large to be sure that it was observed. */
  unknown?: boolean;
}

export interface EvaluationOptions extends Pick<StepOptions, 'nowMs' | 'maxGapMs'> {
  /** Whether the whole window before `nowMs` was observed. */
  observed: boolean;
  /** The project's ingestion stopped, so that lack of data says nothing about the rule. */
  ingestStopped: boolean;
}

export interface EvaluatedScope {
  scope: string;
  state: ScopeState;
  action: ScopeAction;
  /** null without enough data. */
  value: number | null;
}

export interface Evaluation {
  /** Those that the rule remembers, and those with an action. */
  scopes: EvaluatedScope[];
  state: AlertRule['state'];
  /** Of the worst scope; null without enough data. */
  value: number | null;
}

/**
 * Evaluates a rule whose figures are known (docs/semantics.md, "Alert rules").
 *
 * @param before the scopes that the rule remembers
 * @param figures the worst first
 */
export function evaluateScopes(
  condition: Condition,
  before: ReadonlyMap<string, ScopeState>,
  figures: readonly ScopeFigure[],
  { nowMs, maxGapMs, observed, ingestStopped }: EvaluationOptions,
): Evaluation {
  const type = alertTypes[condition.type];
  const options = {
    nowMs,
    maxGapMs,
    forMs: condition.forMinutes * 60_000,
    noData: condition.noData,
    lackFires: observed && (!ingestStopped || condition.figure.of === 'arrivals'),
  };
  const found = new Map(figures.map((figure) => [figure.scope, figure]));
  const scopes: EvaluatedScope[] = [];
  let hasData = false;
  let worst: number | null = null;
  for (const scope of scopesOf(condition, before, figures)) {
    const figure = found.get(scope);
    const observation = observe(condition, figure);
    const value = observation.kind === 'no-data' ? null : observation.value;
    hasData ||= value !== null;
    if (value !== null && (worst === null || isWorse(type, value, worst))) worst = value;
    const { state, action } = step(before.get(scope) ?? null, observation, options);
    const remembers = state.heldMs !== null || state.suppressed || condition.noData === 'fire';
    if (remembers || action.do !== 'none') scopes.push({ scope, state, action, value });
  }
  const firing = scopes.some(({ state, action }) => action.do === 'open' || state.incidentId !== null);
  return { scopes, state: firing ? 'firing' : hasData ? 'ok' : 'no_data', value: worst };
}

/** The scopes that are evaluated: firing ones, then those with data, then the others that are remembered. */
function scopesOf(
  { groupBy }: Condition,
  before: ReadonlyMap<string, ScopeState>,
  figures: readonly ScopeFigure[],
): readonly string[] {
  if (groupBy === null) return [''];
  const remembered = [...before].toSorted(([left], [right]) => compareCodePoints(left, right));
  const firing = remembered.filter(([, { incidentId }]) => incidentId !== null).map(([scope]) => scope);
  const all = new Set([...firing, ...figures.map(({ scope }) => scope), ...remembered.map(([scope]) => scope)]);
  return [...all].slice(0, maxScopes);
}

function observe(condition: Condition, figure: ScopeFigure | undefined): Observation {
  const { type, minCount } = condition;
  if (!figure || figure.value === null || figure.count < (minCount ?? 1)) {
    return { kind: 'no-data' };
  }
  const { value } = figure;
  if (figure.unknown === true) return { kind: 'unknown', value };
  const description = alertTypes[type];
  return {
    kind: 'value',
    value,
    fires: firesAt(description, value, condition.threshold),
    recovers: !firesAt(description, value, condition.recoveryThreshold),
  };
}
