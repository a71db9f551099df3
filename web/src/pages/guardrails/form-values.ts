import type { GuardrailAction, GuardrailStage, GuardrailTypeName } from '../../api/parts.ts';
import type { Guardrail, GuardrailBody } from '../../api/service.ts';
import { jsonText } from '../../content/json-text.ts';
import { same } from '../../format/edited-values.ts';
import { allEntities } from './config-labels.ts';

/** A pattern of the form. */
export interface PatternValue {
  pattern: string;
  label: string;
  ignoreCase: boolean;
}

/** The values of the guardrail form: the fields of all types, as typed. */
export interface FormValues {
  slug: string;
  name: string;
  type: GuardrailTypeName;
  stage: GuardrailStage;
  action: GuardrailAction;
  enabled: boolean;
  onError: 'allow' | 'block';
  priority: string;
  everywhere: boolean;
  environments: readonly string[];
  patterns: readonly PatternValue[];
  /** One term a line. */
  terms: string;
  ignoreCase: boolean;
  wholeWords: boolean;
  entities: readonly string[];
  phoneRegions: readonly string[];
  exclude: readonly string[];
  threshold: string;
  maxCharacters: string;
  schema: string;
  connection: string;
  model: string;
  instructions: string;
  /** The configuration as JSON, of a type without fields above. */
  config: string;
}

/** Properties of the parts of the form. */
export interface FieldsProps {
  form: FormValues;
  /** The values before editing. */
  filled: FormValues;
  onChange(change: Partial<FormValues>): void;
  /** The error of a field, by its path in the request body. */
  errorAt(path: string): string | null;
  disabled: boolean;
}

export const emptyPattern: PatternValue = { pattern: '', label: '', ignoreCase: false };

/** The default values of a new guardrail. */
export const emptyForm: FormValues = {
  slug: '',
  name: '',
  type: 'pii',
  stage: 'input',
  action: 'redact',
  enabled: true,
  onError: 'block',
  priority: '100',
  everywhere: true,
  environments: [],
  patterns: [emptyPattern],
  terms: '',
  ignoreCase: true,
  wholeWords: true,
  entities: allEntities,
  phoneRegions: ['US'],
  exclude: [],
  threshold: '0.5',
  maxCharacters: '10000',
  schema: '{\n  "type": "object"\n}',
  connection: '',
  model: '',
  instructions: '',
  config: '{}',
};

const texts = (value: unknown): string[] | null =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : null;
const typed = (value: unknown, otherwise: string): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : otherwise;

function patternsOf(value: unknown): PatternValue[] {
  if (!Array.isArray(value)) return [emptyPattern];
  return (value as ReadonlyArray<Record<string, unknown>>).map((one) => ({
    pattern: typed(one['pattern'], ''),
    label: typed(one['label'], ''),
    ignoreCase: one['ignoreCase'] === true,
  }));
}

/** The form values of an existing guardrail. */
export function formOf(record: Guardrail): FormValues {
  const { config } = record;
  return {
    slug: record.slug,
    name: record.name,
    type: record.type,
    stage: record.stage,
    action: record.action,
    enabled: record.enabled,
    onError: record.onError,
    priority: String(record.priority),
    everywhere: record.environments === null,
    environments: record.environments ?? [],
    patterns: patternsOf(config['patterns']),
    terms: (texts(config['terms']) ?? []).join('\n'),
    ignoreCase: config['ignoreCase'] !== false,
    wholeWords: config['wholeWords'] !== false,
    entities: texts(config['entities']) ?? emptyForm.entities,
    phoneRegions: texts(config['phoneRegions']) ?? emptyForm.phoneRegions,
    exclude: texts(config['exclude']) ?? [],
    threshold: typed(config['threshold'], emptyForm.threshold),
    maxCharacters: typed(config['maxCharacters'], emptyForm.maxCharacters),
    schema: config['schema'] === undefined ? emptyForm.schema : jsonText(config['schema']),
    connection: typed(config['connection'], ''),
    model: typed(config['model'], ''),
    instructions: typed(config['instructions'], ''),
    config: jsonText(config),
  };
}

/** Parses a number. Invalid text is sent unchanged, for the service to reject. */
function number(text: string): number | string {
  const value = text.trim().replace(',', '.');
  return value !== '' && Number.isFinite(Number(value)) ? Number(value) : text;
}

/** The terms of a text with one a line; empty lines are left out. */
export function termsOf(text: string): string[] {
  return text.split(/\r?\n/).filter((term) => term.trim() !== '');
}

/** The configuration of the form's type. Throws if {@link jsonProblem} reports an error. */
export function configOf(form: FormValues): Record<string, unknown> {
  return ownConfig(form) ?? (JSON.parse(form.config) as Record<string, unknown>);
}

/** null: the form has no fields for the type. */
function ownConfig(form: FormValues): Record<string, unknown> | null {
  switch (form.type) {
    case 'regex':
      return {
        patterns: form.patterns.map(({ pattern, label, ignoreCase }) => ({
          pattern,
          ...(label.trim() === '' ? {} : { label: label.trim() }),
          ...(ignoreCase ? { ignoreCase } : {}),
        })),
      };
    case 'blocklist':
      return { terms: termsOf(form.terms), ignoreCase: form.ignoreCase, wholeWords: form.wholeWords };
    case 'pii':
      return {
        entities: form.entities,
        ...(form.entities.includes('phone') && form.phoneRegions.length > 0 ? { phoneRegions: form.phoneRegions } : {}),
      };
    case 'secrets':
      return form.exclude.length === 0 ? {} : { exclude: form.exclude };
    case 'prompt_injection':
      return { threshold: number(form.threshold) };
    case 'max_length':
      return { maxCharacters: number(form.maxCharacters) };
    case 'json_schema':
      return { schema: JSON.parse(form.schema) as unknown };
    case 'llm_judge':
      return {
        connection: form.connection,
        ...(form.model.trim() === '' ? {} : { model: form.model.trim() }),
        instructions: form.instructions,
      };
    default:
      return null;
  }
}

/** Whether the form has fields for the configuration of a type; otherwise it is edited as JSON. */
export function hasOwnFields(type: GuardrailTypeName): boolean {
  return ownConfig({ ...emptyForm, type }) !== null;
}

/** The JSON syntax error of the form, if any. */
export function jsonProblem(form: FormValues): { path: string; message: string } | null {
  const schema = form.type === 'json_schema';
  if (!schema && hasOwnFields(form.type)) return null;
  try {
    JSON.parse(schema ? form.schema : form.config);
    return null;
  } catch (error) {
    const path = schema ? '/config/schema' : '/config';
    return { path, message: `Invalid JSON: ${error instanceof Error ? error.message : 'syntax error'}` };
  }
}

/** The request body of the form. Throws if {@link jsonProblem} reports an error. */
export function fieldsOf(form: FormValues): GuardrailBody {
  const slug = form.slug.trim();
  const name = form.name.trim();
  return {
    slug,
    // The name defaults to the slug.
    ...(name === '' && slug === '' ? {} : { name: name === '' ? slug : name }),
    type: form.type,
    stage: form.stage,
    action: form.action,
    config: configOf(form),
    environments: form.everywhere ? null : [...form.environments],
    priority: number(form.priority) as number,
    enabled: form.enabled,
    onError: form.onError,
  };
}

/**
 * The edited fields of the form, so that concurrent changes by others are kept. The slug never changes. Throws if {@link jsonProblem}
 * reports an error.
 *
 * @param filled the values before editing
 */
export function changedFields(form: FormValues, filled: FormValues): Omit<Partial<GuardrailBody>, 'slug'> {
  const { slug: _slug, ...before } = fieldsOf(filled);
  const { slug, ...now } = fieldsOf({ ...form, slug: filled.slug });
  const entries = Object.entries({ ...now, name: now.name ?? slug });
  return Object.fromEntries(entries.filter(([name, value]) => !same(value, before[name as keyof typeof before])));
}
