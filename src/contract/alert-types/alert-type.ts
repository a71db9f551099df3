import type { TimelinePoint } from '../models.ts';

/** What a rule's filter may name. */
export const alertFilterNames = ['models', 'agents', 'operations', 'evaluators', 'guardrails'] as const;
export type AlertFilterName = (typeof alertFilterNames)[number];

export const alertGroups = ['model', 'agent', 'environment'] as const;
/** What a rule over checks of guardrails counts: checks that triggered one, or in which one could not run. */
export const alertCounts = ['triggered', 'failed'] as const;
export type AlertCount = (typeof alertCounts)[number];

export type AlertGroup = (typeof alertGroups)[number];

/** The unit of a value and its threshold: how notifications and the dashboard write it. A `share` is a fraction; a `count` is of what `minCount` names. */
export type AlertUnit = 'share' | 'milliseconds' | 'usd' | 'score' | 'count' | 'seconds';

/** What the value of a rule is computed from over its window; `src/features/alerts/figures` reads it. */
export type AlertFigure =
  | {
      of: 'calls';
      aggregate: 'mean' | 'sum' | 'p95';
      /** A column of the table `calls`, or an SQL expression of its columns. */
      value: string;
      /** An SQL condition on the calls that count; all by default. */
      where?: string;
      /** Whether calls that name no model count, where the rule names none; by default they do not. */
      unnamed?: boolean;
    }
  /** The mean score. */
  | { of: 'scores' }
  /** How many checks triggered a guardrail, or had one fail. */
  | { of: 'checks' }
  /** Seconds since the newest span arrived. The threshold is the length of the window. */
  | { of: 'arrivals' };

/** What the dashboard draws around an incident. */
export type AlertChart = { title: string; color?: 'bad'; /** The end of the scale. */ limit?: number } & (
  | {
      of: 'calls';
      /** The field of a day, or hour, of the model figures. */
      field: keyof TimelinePoint;
      /** Whether values of hours add up to that of the window. */
      isSum: boolean;
      /** Whether the overview has the field of agents too. */
      ofAgents: boolean;
    }
  | { of: 'scores' }
  | { of: 'checks' }
);

/** The parts of a summary, as text. */
export interface SummaryParts {
  value: string;
  /** What the rule narrows, with a space before it: ` of model gpt-5 in production`; may be empty. */
  of: string;
  /** `in the last 15 minutes` */
  last: string;
  /** What the rule counts; null of a type without a choice. */
  count: AlertCount | null;
}

/** A type of alert rules: what a rule of it takes, when it fires, and how it is shown (docs/semantics.md, "Alert rules"). */
export interface AlertTypeDescription<Name extends string = string> {
  name: Name;
  title: string;
  /** What it watches, as a sentence. */
  hint: string;
  unit: AlertUnit;
  /** On which side of the threshold a value fires. */
  fires: 'above' | 'below' | 'at or above';
  /** The thresholds that are possible, and the sentence that refuses others; null: the type takes none. */
  threshold: { min: number; max: number; sentence: string } | null;
  window: boolean;
  /** What is counted, and how many are needed for a value by default; null: the type counts nothing. */
  minCount: { noun: string; default: number } | null;
  filters: readonly AlertFilterName[];
  groups: readonly AlertGroup[];
  /** What a rule may count, the default first; absent: there is no choice. */
  counts?: readonly AlertCount[];
  /** Whether a rule may be about one environment. */
  environment: boolean;
  /** null: rules of the type are not evaluated and open no incidents. */
  figure: AlertFigure | null;
  /** What opened an incident, without a full stop; the threshold is added. */
  summary(parts: SummaryParts): string;
  /** null: the chart of an incident has the calls that were received. */
  chart: AlertChart | null;
}

/** Declares a type. It imports nothing of the service: the dashboard loads it too. */
export function alertType<const Name extends string>(type: AlertTypeDescription<Name>): AlertTypeDescription<Name> {
  return type;
}

/** What types over calls take. */
export const narrowedByCall = {
  window: true,
  filters: ['models', 'agents', 'operations'],
  groups: ['model', 'agent', 'environment'],
  environment: true,
} as const satisfies Partial<AlertTypeDescription>;

/** What types about a whole project take. */
export const ofProject = {
  threshold: null,
  minCount: null,
  filters: [],
  groups: [],
  environment: false,
} as const satisfies Partial<AlertTypeDescription>;

/** A threshold without a greatest value. */
export const atLeast = (min: number, sentence: string): AlertTypeDescription['threshold'] => ({
  min,
  max: Number.MAX_VALUE,
  sentence,
});

/** Whether a value fires at a threshold. */
export function firesAt({ fires }: Pick<AlertTypeDescription, 'fires'>, value: number, threshold: number): boolean {
  if (fires === 'below') return value < threshold;
  return fires === 'above' ? value > threshold : value >= threshold;
}

/** Whether the first value is worse than the second. */
export function isWorse({ fires }: Pick<AlertTypeDescription, 'fires'>, left: number, right: number): boolean {
  return fires === 'below' ? left < right : left > right;
}
