import { Fields } from './config-fields.ts';
import type { Problem } from './config-fields.ts';
import { boolean, checkFields, choices, filled, integer, number, objects, schemaOf, text, texts } from './config-rules.ts';
import type { FieldRule, FieldRules, JsonSchema } from './config-rules.ts';
import { piiEntities } from './detectors/pii.ts';
import { defaultThreshold } from './detectors/prompt-injection.ts';
import { isPhoneRegion } from './entities/phone.ts';
import { secretLabels } from './entities/secrets.ts';
import { readSchema } from './json-schema/schema-document.ts';
import { compilePattern, PatternError } from './pattern.ts';
import { defaultLabel } from './pattern-set.ts';
import type { GuardrailType } from './types.ts';

const longestTerm = 1_000;
const longestLabel = 100;
const longestInstructions = 20_000;
const largestLength = 10_000_000;
/** Values in a JSON Schema that count as one state. */
const valuesPerState = 8;

interface TypeRules {
  fields: FieldRules;
  /** Whether the action `redact` is taken. */
  redacts: boolean;
}

const isTerm = (term: string): boolean => term.trim() !== '' && term.length <= longestTerm;

const label: FieldRule = {
  ...text(longestLabel),
  fallback: defaultLabel,
  schema: { ...text(longestLabel).schema, default: defaultLabel },
};

const jsonSchema: FieldRule = {
  required: true,
  schema: { type: ['object', 'boolean'], description: 'a JSON Schema of draft 2020-12 or 7' },
  check(fields, name) {
    const { document, problems } = readSchema(fields.value(name));
    for (const { path, message } of problems) fields.add(`/${name}${path}`, message);
    fields.sizes.push(Math.ceil(countValues(fields.value(name)) / valuesPerState));
    for (const { size } of document.patterns.values()) fields.sizes.push(size);
  },
};

/** The rules of each type's configuration. */
const rules: Record<GuardrailType, TypeRules> = {
  regex: {
    fields: {
      patterns: objects(50, { pattern: text(10_000, true), label, ignoreCase: boolean(false) }, checkPattern),
    },
    redacts: true,
  },
  blocklist: {
    fields: {
      terms: texts({
        most: 1_000,
        required: true,
        items: { type: 'string', minLength: 1, maxLength: longestTerm },
        fine: isTerm,
        message: `must be a text of 1 to ${longestTerm} characters that are not all spaces`,
      }),
      ignoreCase: boolean(true),
      wholeWords: boolean(true),
    },
    redacts: true,
  },
  pii: {
    fields: {
      entities: {
        ...choices(piiEntities, { most: piiEntities.length, fallback: piiEntities }),
        // All of them, in any order, are the default.
        fill: (value) => (Array.isArray(value) && piiEntities.every((entity) => value.includes(entity)) ? piiEntities : value),
      },
      phoneRegions: texts({
        most: 50,
        fallback: ['US'],
        items: { type: 'string', pattern: '^[A-Z]{2}$' },
        fine: isPhoneRegion,
        message: 'must be a region of ISO 3166-1 in two capital letters, such as US',
      }),
    },
    redacts: true,
  },
  secrets: { fields: { exclude: choices(secretLabels, { fewest: 0, most: 100, fallback: [] }) }, redacts: true },
  prompt_injection: { fields: { threshold: number(0, 1, defaultThreshold) }, redacts: false },
  max_length: { fields: { maxCharacters: integer(1, largestLength) }, redacts: true },
  json_schema: { fields: { schema: jsonSchema }, redacts: false },
  llm_judge: {
    fields: { connection: text(200, true), model: text(200), instructions: text(longestInstructions, true) },
    redacts: false,
  },
};

/** All types of guardrails. */
export const guardrailTypes: readonly GuardrailType[] = Object.keys(rules) as GuardrailType[];

/** Whether a type of guardrail takes the action `redact`. */
export function canRedact(type: GuardrailType): boolean {
  return rules[type].redacts;
}

/** The fields of a type's configuration. */
export function configFields(type: GuardrailType): readonly string[] {
  return Object.keys(rules[type].fields);
}

/** The JSON Schema of a type's configuration. */
export function configSchema(type: GuardrailType): JsonSchema {
  return schemaOf(rules[type].fields);
}

/** A valid configuration with the default of every field that it leaves out. */
export function configWithDefaults(type: GuardrailType, config: unknown): unknown {
  return filled(rules[type].fields, config);
}

type CheckedGuardrail = Readonly<{ type: GuardrailType; action: string; config: unknown }>;

/** The problems of a guardrail's configuration and action, with JSON pointers such as `/config/patterns/0/pattern`. Empty when there are none. */
export function validateConfig(guardrail: CheckedGuardrail): Problem[] {
  return measureConfig(guardrail).problems;
}

/**
 * The same, with the size of the compiled guardrail in states: the states of its patterns' automata, one for each term, and one for eight values in a JSON
 * Schema. A state takes about 200 bytes.
 */
export function measureConfig({ type, action, config }: CheckedGuardrail): { problems: Problem[]; size: number } {
  const { fields: known, redacts } = rules[type];
  const fields = new Fields(config, '/config', Object.keys(known));
  if (fields.problems.every(({ path }) => path !== '/config')) checkFields(known, fields);
  if (action === 'redact' && !redacts) {
    fields.problems.unshift({ path: '/action', message: `A guardrail of type ${type} cannot redact. Use block or flag.` });
  }
  const terms = type === 'blocklist' ? fields.value('terms') : null;
  const size = fields.sizes.reduce((sum, part) => sum + part, 0);
  return { problems: fields.problems, size: size + (Array.isArray(terms) ? terms.length : 0) };
}

function checkPattern(own: Fields): void {
  const source = own.value('pattern');
  if (typeof source !== 'string' || source === '') return;
  try {
    own.sizes.push(compilePattern(source, { ignoreCase: own.value('ignoreCase') === true }).size);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    own.add('/pattern', error.message);
  }
}

/** The values in a value of JSON, which may be nested too deeply for recursion. */
function countValues(value: unknown): number {
  let count = 0;
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    count += 1;
    if (typeof next !== 'object' || next === null) continue;
    for (const child of Object.values(next)) waiting.push(child);
  }
  return count;
}
