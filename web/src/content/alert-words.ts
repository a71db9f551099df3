import type { AlertRule, AlertType, AlertWindow, Incident } from '../api/wire.ts';
import type { Tone } from '../design/badge.tsx';
import { formatDuration, formatExact, formatScore, formatShare, formatUsd } from '../format/number-format.ts';

/** The filters of a rule. */
export const filterNames = ['models', 'agents', 'operations', 'evaluators', 'guardrails'] as const;
export type FilterName = (typeof filterNames)[number];
export type AlertGroup = NonNullable<AlertRule['groupBy']>;

/** What a type takes (docs/semantics.md, "Alert rules"), and how it is shown. */
interface TypeWords {
  title: string;
  /** What it watches. */
  hint: string;
  /** The label of its threshold with the unit; null: it takes none. */
  threshold: string | null;
  /** How the value is compared when the rule fires. */
  fires: '>' | '<' | '≥';
  window: boolean;
  /** What `minCount` counts and its default; null: the type counts nothing. */
  minCount: { noun: string; default: number } | null;
  filters: readonly FilterName[];
  groups: readonly AlertGroup[];
  environment: boolean;
  format(value: number): string;
}

const calls = {
  fires: '>',
  window: true,
  filters: ['models', 'agents', 'operations'],
  groups: ['model', 'agent', 'environment'],
  environment: true,
} as const satisfies Partial<TypeWords>;
const project = { window: true, filters: [], groups: [], environment: false, fires: '>', minCount: null } as const;
const seconds = (value: number) => formatDuration(value * 1_000);

export const alertTypes: Readonly<Record<AlertType, TypeWords>> = {
  'error-rate': {
    ...calls,
    title: 'Error rate',
    hint: 'Share of calls with an error.',
    threshold: 'Threshold (%)',
    minCount: { noun: 'calls', default: 20 },
    format: formatShare,
  },
  latency: {
    ...calls,
    title: 'Latency',
    hint: 'p95 duration of finished calls.',
    threshold: 'Threshold (ms)',
    minCount: { noun: 'calls', default: 20 },
    format: formatDuration,
  },
  cost: {
    ...calls,
    title: 'Cost',
    hint: 'Total cost of the calls of the window.',
    threshold: 'Threshold (USD)',
    minCount: { noun: 'calls', default: 1 },
    format: formatUsd,
  },
  quality: {
    ...calls,
    fires: '<',
    filters: ['models', 'agents', 'operations', 'evaluators'],
    title: 'Quality',
    hint: 'Mean score.',
    threshold: 'Threshold (score)',
    minCount: { noun: 'scores', default: 5 },
    format: formatScore,
  },
  guardrail: {
    ...calls,
    fires: '≥',
    filters: ['guardrails'],
    groups: ['environment'],
    title: 'Guardrail',
    hint: 'Number of checks that triggered a guardrail.',
    threshold: 'Threshold (checks)',
    minCount: { noun: 'checks', default: 1 },
    format: formatExact,
  },
  'ingest-stopped': {
    ...project,
    title: 'Ingestion stopped',
    hint: 'No span has arrived for longer than the window.',
    threshold: null,
    format: seconds,
  },
  'model-lifecycle': {
    ...project,
    window: false,
    title: 'Model lifecycle',
    hint: 'Notifies when a called model is retired soon. Opens no incidents.',
    threshold: null,
    format: formatExact,
  },
};

export const alertTypeNames = Object.keys(alertTypes) as AlertType[];

const minuteMs = 60_000;
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
  const { fires, format } = alertTypes[type];
  if (type === 'model-lifecycle') return 'finding raised';
  if (type === 'ingest-stopped') return `no span for ${window ?? ''}`;
  return `${fires} ${threshold === null ? '–' : format(threshold)} in ${window ?? ''}`;
}

/** The threshold that a rule's value is compared with; of `ingest-stopped` the window in seconds. */
export function thresholdOf({ type, threshold, window }: Pick<AlertRule, 'type' | 'threshold' | 'window'>): number | null {
  return type === 'ingest-stopped' && window !== null ? alertWindows[window] / 1_000 : threshold;
}

/** The state of a rule in words. A disabled rule is not evaluated, whatever its last state. */
export function stateOf({
  enabled,
  state,
  lastEvaluatedAt,
  type,
}: Pick<AlertRule, 'enabled' | 'state' | 'lastEvaluatedAt' | 'type'>): { text: string; tone: Tone; hint: string } {
  if (!enabled) return { text: 'disabled', tone: 'neutral', hint: 'Not evaluated.' };
  if (type === 'model-lifecycle') return { text: 'on', tone: 'good', hint: 'Notifies when a finding is raised.' };
  if (lastEvaluatedAt === null)
    return { text: 'not evaluated', tone: 'neutral', hint: 'The first evaluation is within a minute.' };
  if (state === 'firing') return { text: 'firing', tone: 'bad', hint: 'The condition holds.' };
  if (state === 'no_data') return { text: 'no data', tone: 'warn', hint: 'Fewer calls, scores or checks than the rule needs.' };
  return { text: 'ok', tone: 'good', hint: 'The condition does not hold.' };
}

export const statusTones: Readonly<Record<Incident['status'], Tone>> = { open: 'bad', acknowledged: 'warn', resolved: 'good' };
export const incidentStatuses = ['open', 'acknowledged', 'resolved'] as const satisfies ReadonlyArray<Incident['status']>;

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
