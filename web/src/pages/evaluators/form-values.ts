import type { EvaluatorTarget, EvaluatorTypeName } from '../../api/parts.ts';
import type { Evaluator, EvaluatorBody } from '../../api/service.ts';
import { jsonText } from '../../content/json-text.ts';
import { same } from '../../format/edited-values.ts';

/** Filters with a list of names. */
export const namedFilters = ['models', 'agents', 'environments', 'tags'] as const;
type FilterField = 'kinds' | (typeof namedFilters)[number];

/** The values of the evaluator form: the fields of all types, as typed. */
export interface FormValues {
  slug: string;
  name: string;
  type: EvaluatorTypeName;
  target: EvaluatorTarget;
  enabled: boolean;
  sampleRate: string;
  passThreshold: string;
  idleMinutes: string;
  filter: Readonly<Record<FilterField, readonly string[]>>;
  /** A filter that narrows further; blank: none. */
  expression: string;
  ignoreCase: boolean;
  threshold: string;
  value: string;
  pattern: string;
  flags: string;
  schema: string;
  maxMs: string;
  maxUsd: string;
  connectionId: string;
  model: string;
  instructions: string;
  scaleMin: string;
  scaleMax: string;
  /** JSON; of a type without fields of its own. */
  config: string;
}

/** Properties of the parts of the form. */
export interface FieldsProps {
  form: FormValues;
  onChange(change: Partial<FormValues>): void;
  /** The error of a field, by its path in the request body. */
  errorAt(path: string): string | null;
  disabled: boolean;
}

/** The default values of a new evaluator. */
export const emptyForm: FormValues = {
  slug: '',
  name: '',
  type: 'contains',
  target: 'trace',
  enabled: true,
  sampleRate: '1',
  passThreshold: '',
  idleMinutes: '30',
  filter: { kinds: [], models: [], agents: [], environments: [], tags: [] },
  expression: '',
  ignoreCase: false,
  threshold: '0.8',
  value: '',
  pattern: '',
  flags: '',
  schema: '{\n  "type": "object"\n}',
  maxMs: '2000',
  maxUsd: '0.01',
  connectionId: '',
  model: '',
  instructions: '',
  scaleMin: '1',
  scaleMax: '5',
  config: '{}',
};

const typed = (value: unknown, otherwise: string): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : otherwise;

/** The form values of an existing evaluator. */
export function formOf(record: Evaluator): FormValues {
  const { config, filter } = record;
  const [scaleMin, scaleMax] = Array.isArray(config['scale']) ? (config['scale'] as unknown[]) : [];
  const field = (name: keyof FormValues & string) => typed(config[name], emptyForm[name] as string);
  return {
    slug: record.slug,
    name: record.name,
    type: record.type,
    target: record.target,
    enabled: record.enabled,
    sampleRate: String(record.sampleRate),
    passThreshold: record.passThreshold === null ? '' : String(record.passThreshold),
    idleMinutes: String(record.idleMinutes),
    filter: {
      kinds: filter.kinds ?? [],
      models: filter.models ?? [],
      agents: filter.agents ?? [],
      environments: filter.environments ?? [],
      tags: filter.tags ?? [],
    },
    expression: filter.expression ?? '',
    ignoreCase: config['ignoreCase'] === true,
    threshold: field('threshold'),
    value: field('value'),
    pattern: field('pattern'),
    flags: field('flags'),
    schema: config['schema'] === undefined ? emptyForm.schema : jsonText(config['schema']),
    maxMs: field('maxMs'),
    maxUsd: field('maxUsd'),
    connectionId: field('connectionId'),
    model: field('model'),
    instructions: field('instructions'),
    scaleMin: typed(scaleMin, emptyForm.scaleMin),
    scaleMax: typed(scaleMax, emptyForm.scaleMax),
    config: jsonText(config),
  };
}

/** Parses a number. Invalid text is sent unchanged, for the service to reject. */
function number(text: string): number | undefined {
  const value = text.trim().replace(',', '.');
  if (value === '') return undefined;
  return Number.isFinite(Number(value)) ? Number(value) : (text as unknown as number);
}

/** null: the type has no fields of its own. */
function configOf(form: FormValues): Record<string, unknown> | null {
  switch (form.type) {
    case 'exact':
      return { ignoreCase: form.ignoreCase };
    case 'fuzzy':
      return { threshold: number(form.threshold) };
    case 'contains':
      return { value: form.value, ignoreCase: form.ignoreCase };
    case 'regex':
      return { pattern: form.pattern, ...(form.flags === '' ? {} : { flags: form.flags }) };
    case 'json_schema':
      return { schema: JSON.parse(form.schema) as unknown };
    case 'latency':
      return { maxMs: number(form.maxMs) };
    case 'cost':
      return { maxUsd: number(form.maxUsd) };
    case 'llm_judge':
      return {
        ...(form.connectionId === '' ? {} : { connectionId: form.connectionId }),
        model: form.model,
        instructions: form.instructions,
        scale: [number(form.scaleMin), number(form.scaleMax)],
      };
    default:
      return null;
  }
}

/** Whether the form has fields for the configuration of a type; otherwise it is edited as JSON. */
export function hasOwnFields(type: EvaluatorTypeName): boolean {
  return configOf({ ...emptyForm, type }) !== null;
}

/** The JSON syntax error of the form, if any. The service validates everything else. */
export function jsonProblem(form: FormValues): { path: string; message: string } | null {
  const schema = form.type === 'json_schema';
  if (!schema && hasOwnFields(form.type)) return null;
  try {
    JSON.parse(schema ? form.schema : form.config);
    return null;
  } catch (error) {
    return {
      path: schema ? '/config/schema' : '/config',
      message: `Invalid JSON: ${error instanceof Error ? error.message : 'syntax error'}`,
    };
  }
}

/** The request body of the form. Throws if {@link jsonProblem} reports an error. */
export function fieldsOf(form: FormValues): EvaluatorBody {
  const lists = Object.fromEntries(Object.entries(form.filter).filter(([, values]) => values.length > 0));
  const filter = form.expression.trim() === '' ? lists : { ...lists, expression: form.expression };
  const slug = form.slug.trim();
  // The name defaults to the slug.
  const name = form.name.trim() || slug;
  return {
    slug,
    ...(name === '' ? {} : { name }),
    type: form.type,
    config: configOf(form) ?? (JSON.parse(form.config) as Record<string, unknown>),
    target: form.target,
    filter: filter as NonNullable<EvaluatorBody['filter']>,
    sampleRate: number(form.sampleRate) ?? 1,
    passThreshold: number(form.passThreshold) ?? null,
    ...(form.target === 'session' ? { idleMinutes: number(form.idleMinutes) ?? 30 } : {}),
    enabled: form.enabled,
  };
}

/**
 * The edited fields of the form, so that concurrent changes by others are kept. Throws if {@link jsonProblem} reports an error.
 *
 * @param filled the values before editing
 */
export function changedFields(form: FormValues, filled: FormValues): Partial<EvaluatorBody> {
  const before: Partial<EvaluatorBody> = fieldsOf(filled);
  const entries = Object.entries(fieldsOf(form)) as Array<[keyof EvaluatorBody, unknown]>;
  return Object.fromEntries(entries.filter(([name, value]) => !same(value, before[name])));
}
