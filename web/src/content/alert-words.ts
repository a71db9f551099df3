import { alertTypeNames, alertTypes as described } from '../../../src/contract/alert-types/index.ts';
import type { AlertTypeDescription, AlertUnit } from '../../../src/contract/alert-types/alert-type.ts';
import type { AlertType, AlertWindow } from '../api/parts.ts';
import type { AlertRule, Incident } from '../api/service.ts';
import type { Tone } from '../design/badge.tsx';
import { formatDuration, formatExact, formatScore, formatShare, formatUsd, formatUsdPrecise } from '../format/number-format.ts';
import { minuteMs } from '../../../src/contract/durations.ts';

interface UnitWords {
  /** In labels of fields; null: what the type counts. */
  label: string | null;
  /** The value of the form for one of the API. */
  factor: number;
  format(value: number): string;
  /** For charts. */
  formatPrecise(value: number): string;
}

const unit = (label: string | null, format: UnitWords['format']): UnitWords => ({
  label,
  factor: 1,
  format,
  formatPrecise: format,
});

const units: Readonly<Record<AlertUnit, UnitWords>> = {
  share: { ...unit('%', formatShare), factor: 100 },
  milliseconds: unit('ms', formatDuration),
  usd: { ...unit('USD', formatUsd), formatPrecise: formatUsdPrecise },
  score: unit('score', formatScore),
  count: unit(null, formatExact),
  seconds: unit('s', (value) => formatDuration(value * 1_000)),
};

const signs = { above: '>', below: '<', 'at or above': '≥' } as const;

/** A type of the contract with how the dashboard shows its values. */
interface TypeWords extends Omit<AlertTypeDescription, 'threshold'> {
  /** The label of its threshold with the unit; null: it takes none. */
  threshold: string | null;
  /** How the value is compared when the rule fires. */
  sign: (typeof signs)[keyof typeof signs];
  isEvaluated: boolean;
  /** Whether a rule of the type takes a filter of the spans of its calls. */
  takesExpression: boolean;
  factor: number;
  format(value: number): string;
  formatPrecise(value: number): string;
}

function wordsOf(type: AlertTypeDescription): TypeWords {
  const { label, ...words } = units[type.unit];
  const { threshold, minCount, fires, figure } = type;
  return {
    ...type,
    ...words,
    threshold: threshold === null ? null : `Threshold (${label ?? minCount?.noun ?? 'count'})`,
    sign: signs[fires],
    isEvaluated: figure !== null,
    takesExpression: figure?.of === 'calls',
  };
}

/** The types in the order in which the form offers them. */
export { alertTypeNames };
export const alertTypes = Object.fromEntries(alertTypeNames.map((name) => [name, wordsOf(described[name])])) as Readonly<
  Record<AlertType, TypeWords>
>;

/** Windows with their length in milliseconds. */
export const alertWindows: Readonly<Record<AlertWindow, number>> = {
  '5m': 5 * minuteMs,
  '15m': 15 * minuteMs,
  '30m': 30 * minuteMs,
  '1h': 60 * minuteMs,
  '6h': 360 * minuteMs,
  '24h': 1_440 * minuteMs,
};
export const alertWindowNames = Object.keys(alertWindows) as AlertWindow[];

/** A rule's condition in a few words: `> 5% in 15m`. */
export function conditionText({ type, threshold, window }: Pick<AlertRule, 'type' | 'threshold' | 'window'>): string {
  const { sign, format, figure } = alertTypes[type];
  if (figure === null) return 'finding raised';
  if (figure.of === 'arrivals') return `no span for ${window ?? ''}`;
  return `${sign} ${threshold === null ? '–' : format(threshold)} in ${window ?? ''}`;
}

/** The threshold that a rule's value is compared with; of arrivals the window in seconds. */
export function thresholdOf({ type, threshold, window }: Pick<AlertRule, 'type' | 'threshold' | 'window'>): number | null {
  return alertTypes[type].figure?.of === 'arrivals' && window !== null ? alertWindows[window] / 1_000 : threshold;
}

/** The state of a rule in words. A disabled rule is not evaluated, whatever its last state. */
export function stateOf({
  enabled,
  state,
  lastEvaluatedAt,
  type,
}: Pick<AlertRule, 'enabled' | 'state' | 'lastEvaluatedAt' | 'type'>): { text: string; tone: Tone; hint: string } {
  if (!enabled) return { text: 'disabled', tone: 'neutral', hint: 'Not evaluated.' };
  if (!alertTypes[type].isEvaluated) return { text: 'on', tone: 'good', hint: 'Notifies when a finding is raised.' };
  if (lastEvaluatedAt === null)
    return { text: 'not evaluated', tone: 'neutral', hint: 'The first evaluation is within a minute.' };
  if (state === 'firing') return { text: 'firing', tone: 'bad', hint: 'The condition holds.' };
  if (state === 'no_data') return { text: 'no data', tone: 'warn', hint: 'Fewer calls, scores or checks than the rule needs.' };
  return { text: 'ok', tone: 'good', hint: 'The condition does not hold.' };
}

export const statusTones: Readonly<Record<Incident['status'], Tone>> = { open: 'bad', acknowledged: 'warn', resolved: 'good' };
/** Why an incident was resolved, for people. */
export function resolutionText(resolution: string): string {
  if (resolution === 'manual') return 'by a person';
  if (resolution === 'no_data') return 'no data';
  return resolution.replaceAll('_', ' ');
}

/** The title of an incident: its rule, and the scope where it has one. */
export function incidentTitle({ ruleName, scope }: Pick<Incident, 'ruleName' | 'scope'>): string {
  return scope === null ? ruleName : `${ruleName} · ${scope}`;
}

/** How long an incident has been open. @param nowMs epoch milliseconds */
export function openMs({ openedAt, resolvedAt }: Pick<Incident, 'openedAt' | 'resolvedAt'>, nowMs: number): number {
  return Math.max(0, (resolvedAt === null ? nowMs : Date.parse(resolvedAt)) - Date.parse(openedAt));
}
