import { conventions } from '../conventions/index.ts';
import { slotOf } from './attribute-key.ts';
import type { FieldTypes, ReadAttribute, Reader } from './convention.ts';
import { fieldPriority, type FieldName } from './field-priority.ts';
import type { SpanView } from './span-view.ts';

interface Candidate<T> extends ReadAttribute {
  slot: number;
  read: Reader<T>;
}

/** Finds how an attribute is read for a field; the convention test makes sure that exactly one convention says it. */
function candidateOf<F extends FieldName>(field: F, attribute: string): Candidate<FieldTypes[F]> {
  for (const convention of conventions) {
    const read = convention.fields[field]?.[attribute];
    if (read !== undefined) return { slot: slotOf(attribute), read, convention: convention.name, attribute };
  }
  throw new Error(`no convention reads ${attribute} for ${field}`);
}

/** Makes a field's reader: asks its attributes in the order of `fieldPriority`, the first answer wins, and the span is told of it. */
export function fieldReader<F extends FieldName>(field: F): (span: SpanView) => FieldTypes[F] | undefined {
  const candidates = fieldPriority[field].map((attribute) => candidateOf(field, attribute));
  return (span) => {
    for (const candidate of candidates) {
      const value = span.at(candidate.slot);
      if (value === undefined) continue;
      const found = candidate.read(value, span);
      if (found !== undefined) {
        span.filled(field, candidate, found);
        return found;
      }
    }
    return undefined;
  };
}
