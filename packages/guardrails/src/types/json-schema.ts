import type { Detection, Detector } from '../detector.ts';
import { readSchema } from '../json-schema/schema-document.ts';
import { Validation } from '../json-schema/validation.ts';
import type { FieldRule } from '../config-rules.ts';
import type { GuardrailTypeDescription } from './guardrail-type.ts';

interface JsonSchemaConfig {
  /** JSON Schema of draft 2020-12 or 7. */
  schema: unknown;
}

/** Triggers on a text that is not JSON or not as a schema says. Generates no code. Nothing of an open text is safe. */
function jsonSchemaDetector({ schema }: JsonSchemaConfig): Detector {
  const { document } = readSchema(schema);
  return {
    detect({ work: { text }, budget, open }) {
      budget.spend(text.length);
      const value = parse(text);
      const safeUntil = open ? 0 : text.length;
      if (value === undefined) return detection('The text is not JSON.', safeUntil);
      const holds = new Validation(document, budget).holds(document.root, value.value);
      return detection(holds ? null : 'The text does not conform to the JSON Schema.', safeUntil);
    },
  };
}

function detection(reason: string | null, safeUntil: number): Detection {
  return { triggered: reason !== null, matches: [], truncated: false, reason, safeUntil };
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** Values in a JSON Schema that count as one state. */
const valuesPerState = 8;

const schemaRule: FieldRule = {
  required: true,
  schema: { type: ['object', 'boolean'], description: 'a JSON Schema of draft 2020-12 or 7' },
  check(fields, name) {
    const { document, problems } = readSchema(fields.value(name));
    for (const { path, message } of problems) fields.add(`/${name}${path}`, message);
    fields.sizes.push(Math.ceil(countValues(fields.value(name)) / valuesPerState));
    for (const { size } of document.patterns.values()) fields.sizes.push(size);
  },
};

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

export const jsonSchema: GuardrailTypeDescription<'json_schema'> = {
  name: 'json_schema',
  title: 'JSON Schema',
  hint: 'Triggers on texts that are not JSON, or not JSON that a schema allows.',
  fields: { schema: schemaRule },
  example: { schema: { type: 'object' } },
  redacts: false,
  defaultAction: 'block',
  slow: true,
  deep: true,
  decidesAtEnd: true,
  detector: jsonSchemaDetector,
};
