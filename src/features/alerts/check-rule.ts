import { alertFilterNames, firesAt } from '../../contract/alert-types/alert-type.ts';
import type { AlertFilterName } from '../../contract/alert-types/alert-type.ts';
import { alertTypes } from '../../contract/alert-types/index.ts';
import type { AlertBody, AlertFilter, AlertRule } from '../../contract/alerts.ts';
import { ServiceError } from '../../contract/errors.ts';
import { readFilter } from '../../contract/filter/read-filter.ts';
import type { ErrorDetail } from '../../contract/errors.ts';

/** The fields of a body that say what a rule measures and when it fires. */
export type GivenCondition = Pick<
  AlertBody,
  | 'type'
  | 'threshold'
  | 'window'
  | 'filter'
  | 'environment'
  | 'groupBy'
  | 'count'
  | 'minCount'
  | 'forMinutes'
  | 'recoveryThreshold'
  | 'noData'
  | 'renotifyMinutes'
>;

/** The same with the defaults of the type. `recoveryThreshold` null: the threshold. */
export type CheckedCondition = Pick<
  AlertRule,
  'threshold' | 'window' | 'filter' | 'environment' | 'groupBy' | 'count' | 'minCount' | 'recoveryThreshold'
>;

/**
 * Checks that a rule's type takes what it is given, and fills in the type's defaults (docs/semantics.md, "Alert rules").
 *
 * Errors: `invalid_request` with a detail for each field, `invalid_filter` for an expression that cannot be read.
 */
export function checkRule(given: GivenCondition): CheckedCondition {
  const problems = problemsOf(given);
  const [first] = problems;
  if (first) {
    throw new ServiceError('invalid_request', `Correct the rule: ${first.path.slice(1).replaceAll('/', '.')} ${first.message}.`, {
      details: problems,
    });
  }
  // Only moments such as -2h depend on the time.
  readFilter(given.filter.expression, 'spans', 0, '/filter/expression');
  const { window, counts, minCount } = alertTypes[given.type];
  const { threshold = null, recoveryThreshold = null } = given;
  return {
    threshold,
    recoveryThreshold: recoveryThreshold === threshold ? null : recoveryThreshold,
    window: window ? (given.window ?? '15m') : null,
    filter: orderedFilter(given.filter),
    environment: given.environment,
    groupBy: given.groupBy,
    count: given.count ?? counts?.[0] ?? null,
    minCount: minCount === null ? null : (given.minCount ?? minCount.default),
  };
}

function problemsOf(given: GivenCondition): ErrorDetail[] {
  const { type } = given;
  const takes = alertTypes[type];
  const problems: ErrorDetail[] = thresholdProblems(given);
  const refuse = (path: string, message: string) => problems.push({ path, message });
  const notTaken = (what: string) => `is not for a rule of type ${type}${what}`;
  if (!takes.window && given.window != null) refuse('/window', notTaken(', which has none'));
  for (const field of fieldsOf(given.filter)) {
    if (takes.filters.includes(field)) continue;
    const possible = takes.filters.length === 0 ? ', which has no filter' : `: it can filter by ${takes.filters.join(', ')}`;
    refuse(`/filter/${field}`, notTaken(possible));
  }
  if (given.filter.expression !== undefined && takes.figure?.of !== 'calls')
    refuse('/filter/expression', notTaken(': only rules over calls take one'));
  if (given.groupBy !== null && !takes.groups.includes(given.groupBy)) {
    refuse('/groupBy', notTaken(takes.groups.length === 0 ? '' : `: it can be ${takes.groups.join(', ')}`));
  }
  if (given.environment !== null && !takes.environment) refuse('/environment', notTaken(', which is about the whole project'));
  if (given.count != null && takes.counts?.includes(given.count) !== true) refuse('/count', notTaken(''));
  if (given.minCount != null && takes.minCount === null) refuse('/minCount', notTaken(', which counts nothing'));
  if (takes.figure !== null) return problems;
  if (given.forMinutes > 0) refuse('/forMinutes', notTaken(', which is notified at once'));
  if (given.noData !== 'keep') refuse('/noData', notTaken(', which is not evaluated'));
  if (given.renotifyMinutes !== null) refuse('/renotifyMinutes', notTaken(', which opens no incidents'));
  return problems;
}

function thresholdProblems({ type, threshold, recoveryThreshold }: GivenCondition): ErrorDetail[] {
  const description = alertTypes[type];
  const { threshold: takes, fires } = description;
  if (takes === null) {
    return [
      { path: '/threshold', value: threshold },
      { path: '/recoveryThreshold', value: recoveryThreshold },
    ]
      .filter(({ value }) => value != null)
      .map(({ path }) => ({ path, message: `is not for a rule of type ${type}, which has none` }));
  }
  if (threshold == null) return [{ path: '/threshold', message: `is needed by a rule of type ${type}` }];
  const { min, max, sentence } = takes;
  const outside = (value: number) => value < min || value > max;
  if (outside(threshold)) return [{ path: '/threshold', message: sentence }];
  if (recoveryThreshold == null) return [];
  if (outside(recoveryThreshold)) return [{ path: '/recoveryThreshold', message: sentence }];
  if (recoveryThreshold === threshold || !firesAt(description, recoveryThreshold, threshold)) return [];
  const side = fires === 'below' ? 'below' : 'above';
  return [{ path: '/recoveryThreshold', message: `must not be ${side} the threshold, where the rule fires` }];
}

function fieldsOf(filter: AlertFilter): AlertFilterName[] {
  return alertFilterNames.filter((field) => filter[field] !== undefined);
}

/** The filter with its fields in one order and each name once, so that equal filters are the same text. The expression stays as it was given. */
function orderedFilter(filter: AlertFilter): AlertFilter {
  const { expression } = filter;
  const names = Object.fromEntries(fieldsOf(filter).map((field) => [field, [...new Set(filter[field])]]));
  return expression === undefined ? names : { ...names, expression };
}
