import { Fields } from './config-fields.ts';
import type { Problem } from './config-fields.ts';
import { piiEntities } from './detectors/pii.ts';
import { isPhoneRegion } from './entities/phone.ts';
import { secretLabels } from './entities/secrets.ts';
import { readSchema } from './json-schema/schema-document.ts';
import { compilePattern, PatternError } from './pattern.ts';
import type { GuardrailType } from './types.ts';

const longestTerm = 1_000;
const longestLabel = 100;
const longestInstructions = 20_000;
const largestLength = 10_000_000;

interface TypeRules {
  fields: readonly string[];
  /** Whether the action `redact` is taken. */
  redacts: boolean;
  check(fields: Fields): void;
}

/** The rules of each type's configuration. */
const rules: Record<GuardrailType, TypeRules> = {
  regex: { fields: ['patterns'], redacts: true, check: checkPatterns },
  blocklist: {
    fields: ['terms', 'ignoreCase', 'wholeWords'],
    redacts: true,
    check(fields) {
      const fine = (term: string) => term.trim() !== '' && term.length <= longestTerm;
      fields.items('terms', 1_000, fine, `must be a text of 1 to ${longestTerm} characters that are not all spaces`, true);
      fields.boolean('ignoreCase');
      fields.boolean('wholeWords');
    },
  },
  pii: {
    fields: ['entities', 'phoneRegions'],
    redacts: true,
    check(fields) {
      const known: readonly string[] = piiEntities;
      fields.items('entities', known.length, (entity) => known.includes(entity), `must be one of ${known.join(', ')}`);
      fields.items('phoneRegions', 50, isPhoneRegion, 'must be a region of ISO 3166-1 in two capital letters, such as US');
    },
  },
  secrets: {
    fields: ['exclude'],
    redacts: true,
    check(fields) {
      if (Array.isArray(fields.value('exclude')) && (fields.value('exclude') as unknown[]).length === 0) return;
      fields.items('exclude', 100, (label) => secretLabels.includes(label), `must be one of ${secretLabels.join(', ')}`);
    },
  },
  prompt_injection: {
    fields: ['threshold'],
    redacts: false,
    check: (fields) => fields.number('threshold', (value) => value >= 0 && value <= 1, 'must be a number from 0 to 1'),
  },
  max_length: {
    fields: ['maxCharacters'],
    redacts: true,
    check(fields) {
      const fine = (value: number) => Number.isInteger(value) && value >= 1 && value <= largestLength;
      fields.number('maxCharacters', fine, `must be an integer from 1 to ${largestLength}`, true);
    },
  },
  json_schema: {
    fields: ['schema'],
    redacts: false,
    check(fields) {
      for (const { path, message } of readSchema(fields.value('schema')).problems) fields.add(`/schema${path}`, message);
    },
  },
  llm_judge: {
    fields: ['connection', 'model', 'instructions'],
    redacts: false,
    check(fields) {
      fields.text('connection', 200, true);
      fields.text('model', 200);
      fields.text('instructions', longestInstructions, true);
    },
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
  return rules[type].fields;
}

/** The problems of a guardrail's configuration and action, with JSON pointers such as `/config/patterns/0/pattern`. Empty when there are none. */
export function validateConfig({ type, action, config }: { type: GuardrailType; action: string; config: unknown }): Problem[] {
  const { fields: known, redacts, check } = rules[type];
  const fields = new Fields(config, '/config', known);
  if (fields.problems.every(({ path }) => path !== '/config')) check(fields);
  if (action === 'redact' && !redacts) {
    fields.problems.unshift({ path: '/action', message: `A guardrail of type ${type} cannot redact. Use block or flag.` });
  }
  return fields.problems;
}

function checkPatterns(fields: Fields): void {
  for (const [index, item] of fields.list('patterns', 50, true).entries()) {
    const path = `/config/patterns/${index}`;
    const own = new Fields(item, path, ['pattern', 'label', 'ignoreCase'], fields.problems);
    own.text('pattern', 10_000, true);
    own.text('label', longestLabel);
    own.boolean('ignoreCase');
    const source = own.value('pattern');
    if (typeof source !== 'string' || source === '') continue;
    try {
      compilePattern(source, { ignoreCase: own.value('ignoreCase') === true });
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      own.add('/pattern', error.message);
    }
  }
}
