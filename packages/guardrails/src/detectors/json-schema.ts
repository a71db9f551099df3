import type { Detection, Detector } from '../detector.ts';
import { readSchema } from '../json-schema/schema-document.ts';
import { Validation } from '../json-schema/validation.ts';

export interface JsonSchemaConfig {
  /** JSON Schema of draft 2020-12 or 7. */
  schema: unknown;
}

/** Triggers on a text that is not JSON or not as a schema says. Generates no code. Nothing of an open text is safe. */
export function jsonSchemaDetector({ schema }: JsonSchemaConfig): Detector {
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
