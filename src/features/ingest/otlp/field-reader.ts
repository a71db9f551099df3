import { conventions } from '../conventions/index.ts';
import { slotOf } from './attribute-key.ts';
import type { FieldTypes, Reader } from './convention.ts';
import { fieldPriority, type FieldName } from './field-priority.ts';
import type { SpanView } from './span-view.ts';

interface Candidate<T> {
  slot: number;
  read: Reader<T>;
}

/** Finds how an attribute is read for a field; the convention test makes sure that exactly one convention says it. */
function readerOf<F extends FieldName>(field: F, attribute: string): Reader<FieldTypes[F]> | undefined {
  for (const convention of conventions) {
    const read = convention.fields[field]?.[attribute];
    if (read !== undefined) return read;
  }
  return undefined;
}

/** Makes a field's reader: asks its attributes in the order of `fieldPriority`, the first answer wins. */
export function fieldReader<F extends FieldName>(field: F): (span: SpanView) => FieldTypes[F] | undefined {
  const candidates: Candidate<FieldTypes[F]>[] = [];
  for (const attribute of fieldPriority[field]) {
    const read = readerOf(field, attribute);
    if (read === undefined) throw new Error(`no convention reads ${attribute} for ${field}`);
    candidates.push({ slot: slotOf(attribute), read });
  }
  return (span) => {
    for (const candidate of candidates) {
      const value = span.at(candidate.slot);
      if (value === undefined) continue;
      const found = candidate.read(value, span);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}
