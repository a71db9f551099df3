import { alertFilterNames } from '../../../../src/contract/alert-types/alert-type.ts';
import type { AlertCount, AlertFilterName, AlertGroup } from '../../../../src/contract/alert-types/alert-type.ts';
import type { AlertType, AlertWindow } from '../../api/parts.ts';
import type { AlertBody, AlertChange, AlertRule } from '../../api/service.ts';
import { alertTypes } from '../../content/alert-words.ts';
import { same } from '../../format/edited-values.ts';

/** A channel of the form. */
export interface ChannelValue {
  /** Identifies the channel while it is edited. */
  key: string;
  type: 'email' | 'webhook';
  to: readonly string[];
  url: string;
  /** A secret of the reader's own; empty: kept, or made by the service. */
  secret: string;
  /** The URL that the service has a secret for; null for a new channel. */
  savedUrl: string | null;
  disabledAt: string | null;
}

/** The values of the rule form: the fields of all types, as typed. */
export interface FormValues {
  name: string;
  type: AlertType;
  /** In the unit of the form: of a share per cent. */
  threshold: string;
  recoveryThreshold: string;
  window: AlertWindow;
  filter: Readonly<Record<AlertFilterName, readonly string[]>>;
  /** A filter of the spans of calls; blank: none. */
  expression: string;
  /** Empty: all. */
  environment: string;
  groupBy: AlertGroup | '';
  /** Of a type with a choice. */
  count: AlertCount;
  minCount: string;
  forMinutes: string;
  noData: AlertRule['noData'];
  renotifyMinutes: string;
  channels: readonly ChannelValue[];
  enabled: boolean;
}

/** Properties of the parts of the form. */
export interface FieldsProps {
  form: FormValues;
  onChange(change: Partial<FormValues>): void;
  /** The error of a field, by its path in the request body. */
  errorAt(path: string): string | null;
  disabled: boolean;
}

const noFilter: FormValues['filter'] = { models: [], agents: [], operations: [], evaluators: [], guardrails: [] };

/** The default values of a new rule. */
export const emptyForm: FormValues = {
  name: '',
  type: 'error-rate',
  threshold: '',
  recoveryThreshold: '',
  window: '15m',
  filter: noFilter,
  expression: '',
  environment: '',
  groupBy: '',
  count: 'triggered',
  minCount: '',
  forMinutes: '0',
  noData: 'keep',
  renotifyMinutes: '',
  channels: [],
  enabled: true,
};

/** The fields that show errors of their own. */
export const shownPaths = [
  '/name',
  '/type',
  '/threshold',
  '/recoveryThreshold',
  '/window',
  '/filter',
  '/environment',
  '/groupBy',
  '/count',
  '/minCount',
  '/forMinutes',
  '/noData',
  '/renotifyMinutes',
  '/channels',
];

/** Digits that survive the way from a fraction to per cent and back. */
const exactDigits = 12;
const shownNumber = (value: number | null, type: AlertType) =>
  value === null ? '' : String(Number((value * alertTypes[type].factor).toPrecision(exactDigits)));

/** The form values of a rule. */
export function formOf(rule: AlertRule): FormValues {
  const { type, threshold, recoveryThreshold } = rule;
  return {
    name: rule.name,
    type,
    threshold: shownNumber(threshold, type),
    recoveryThreshold: recoveryThreshold === threshold ? '' : shownNumber(recoveryThreshold, type),
    window: rule.window ?? emptyForm.window,
    filter: {
      models: rule.filter.models ?? [],
      agents: rule.filter.agents ?? [],
      operations: rule.filter.operations ?? [],
      evaluators: rule.filter.evaluators ?? [],
      guardrails: rule.filter.guardrails ?? [],
    },
    expression: rule.filter.expression ?? '',
    environment: rule.environment ?? '',
    groupBy: rule.groupBy ?? '',
    count: rule.count ?? emptyForm.count,
    minCount: rule.minCount === null ? '' : String(rule.minCount),
    forMinutes: String(rule.forMinutes),
    noData: rule.noData,
    renotifyMinutes: rule.renotifyMinutes === null ? '' : String(rule.renotifyMinutes),
    channels: rule.channels.map((channel) => ({
      key: channel.id,
      type: channel.type,
      to: channel.type === 'email' ? channel.to : [],
      url: channel.type === 'webhook' ? channel.url : '',
      secret: '',
      savedUrl: channel.type === 'webhook' ? channel.url : null,
      disabledAt: channel.disabledAt,
    })),
    enabled: rule.enabled,
  };
}

/** Parses a number; null for an empty text. Invalid text is sent unchanged, for the service to reject. */
function number(text: string): number | null {
  const value = text.trim().replace(',', '.');
  if (value === '') return null;
  return Number.isFinite(Number(value)) ? Number(value) : (value as unknown as number);
}

function threshold(text: string, type: AlertType): number | null {
  const value = number(text);
  return typeof value === 'number' ? Number((value / alertTypes[type].factor).toPrecision(exactDigits)) : value;
}

/** The channels as they are sent. */
function channelsOf(channels: readonly ChannelValue[]): NonNullable<AlertBody['channels']> {
  return channels.map(({ type, to, url, secret }) =>
    type === 'email'
      ? { type, to: [...to] }
      : { type, url: url.trim(), ...(secret.trim() === '' ? {} : { secret: secret.trim() }) },
  );
}

/** The request body of the form, with what its type takes. */
export function fieldsOf(form: FormValues): Required<AlertBody> {
  const { type } = form;
  const takes = alertTypes[type];
  const { isEvaluated } = takes;
  const filters = alertFilterNames.filter((name) => takes.filters.includes(name) && form.filter[name].length > 0);
  const group = takes.groups.find((known) => known === form.groupBy);
  return {
    name: form.name.trim(),
    type,
    threshold: takes.threshold === null ? null : threshold(form.threshold, type),
    recoveryThreshold: takes.threshold === null ? null : threshold(form.recoveryThreshold, type),
    window: takes.window ? form.window : null,
    filter: {
      ...Object.fromEntries(filters.map((name) => [name, [...form.filter[name]]])),
      ...(takes.takesExpression && form.expression.trim() !== '' ? { expression: form.expression } : {}),
    },
    environment: takes.environment && form.environment !== '' ? form.environment : null,
    groupBy: group ?? null,
    count: takes.counts ? form.count : null,
    minCount: takes.minCount === null ? null : number(form.minCount),
    forMinutes: isEvaluated ? (number(form.forMinutes) ?? 0) : 0,
    noData: isEvaluated ? form.noData : 'keep',
    renotifyMinutes: isEvaluated ? number(form.renotifyMinutes) : null,
    channels: channelsOf(form.channels),
    enabled: form.enabled,
  };
}

/**
 * The edited fields of the form, so that concurrent changes by others are kept. Another type takes other fields: all are sent then.
 *
 * @param filled the values before editing
 */
export function changedFields(form: FormValues, filled: FormValues): AlertChange {
  const before = fieldsOf(filled);
  const { enabled: _enabled, ...now } = fieldsOf({ ...form, enabled: filled.enabled });
  const sendsAll = form.type !== filled.type;
  const names = Object.keys(now) as Array<keyof typeof now>;
  return Object.fromEntries(names.filter((name) => sendsAll || !same(now[name], before[name])).map((name) => [name, now[name]]));
}

/** What a preview needs of the form; null for a type that is not evaluated, and before the threshold is typed. */
export function previewFields(form: FormValues): Required<AlertBody> | null {
  const takes = alertTypes[form.type];
  if (!takes.isEvaluated) return null;
  if (takes.threshold !== null && form.threshold.trim() === '') return null;
  // A preview does not use name and channels; their errors are shown when the rule is saved.
  return { ...fieldsOf(form), name: 'Preview', channels: [], renotifyMinutes: null, enabled: true };
}
