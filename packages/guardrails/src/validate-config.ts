import { Fields } from './config-fields.ts';
import type { Problem } from './config-fields.ts';
import { checkFields, filled, schemaOf } from './config-rules.ts';
import type { JsonSchema } from './config-rules.ts';
import { describeType } from './types/index.ts';
import type { GuardrailType } from './types/index.ts';

/** Whether a type of guardrail takes the action `redact`. */
export function canRedact(type: GuardrailType): boolean {
  return describeType(type).redacts;
}

/** The fields of a type's configuration. */
export function configFields(type: GuardrailType): readonly string[] {
  return Object.keys(describeType(type).fields);
}

/** The JSON Schema of a type's configuration. */
export function configSchema(type: GuardrailType): JsonSchema {
  return schemaOf(describeType(type).fields);
}

/** A valid configuration with the default of every field that it leaves out. */
export function configWithDefaults(type: GuardrailType, config: unknown): unknown {
  return filled(describeType(type).fields, config);
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
  const { fields: known, redacts } = describeType(type);
  const fields = new Fields(config, '/config', Object.keys(known));
  if (fields.problems.every(({ path }) => path !== '/config')) checkFields(known, fields);
  if (action === 'redact' && !redacts) {
    fields.problems.unshift({ path: '/action', message: `A guardrail of type ${type} cannot redact. Use block or flag.` });
  }
  return { problems: fields.problems, size: fields.sizes.reduce((sum, part) => sum + part, 0) };
}
