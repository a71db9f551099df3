import { conventions } from '../conventions/index.ts';
import type { FieldTypes, Reader } from '../readers/convention.ts';
import type { ConventionAttribute, SpanView } from '../readers/span-view.ts';
import { slotOf } from '../wire/attribute-key.ts';
import { fieldNames, fieldPriority, type FieldName } from '../wire/field-priority.ts';

interface Candidate<T> extends ConventionAttribute {
  slot: number;
  read: Reader<T>;
}

/** The readers of an attribute for a field. conventions.test.ts checks that several of them never read the same span. */
function candidatesOf<F extends FieldName>(field: F, attribute: string): Candidate<FieldTypes[F]>[] {
  const slot = slotOf(attribute);
  return conventions.flatMap(({ name, fields }) => {
    const read = fields[field]?.[attribute];
    return read === undefined ? [] : [{ slot, read, convention: name, attribute }];
  });
}

/** Reads a field of a span. @param accepts whether a value counts; default: every one does */
type FieldReader<T> = (span: SpanView, accepts?: (value: T) => boolean) => T | undefined;

/** Returns a function that reads a field from the first attribute of `fieldPriority` that determines it, and notifies the view. */
export function fieldReader<F extends FieldName>(field: F): FieldReader<FieldTypes[F]> {
  const candidates = fieldPriority[field].flatMap((attribute) => candidatesOf(field, attribute));
  const index = fieldNames.indexOf(field);
  return (span, accepts) => {
    if (!span.has(index)) return undefined;
    for (const candidate of candidates) {
      const value = span.at(candidate.slot);
      if (value === undefined) continue;
      const found = candidate.read(value, span);
      if (found !== undefined && (accepts === undefined || accepts(found))) {
        span.noteField(field, candidate, found);
        return found;
      }
    }
    return undefined;
  };
}

/** Returns a function that reads a field from every attribute of `fieldPriority` that determines it, in that order, and notifies the view of each. */
export function allFieldReader<F extends FieldName>(field: F): (span: SpanView) => FieldTypes[F][] {
  const candidates = fieldPriority[field].flatMap((attribute) => candidatesOf(field, attribute));
  const index = fieldNames.indexOf(field);
  return (span) => {
    if (!span.has(index)) return [];
    return candidates.flatMap((candidate) => {
      const value = span.at(candidate.slot);
      const found = value === undefined ? undefined : candidate.read(value, span);
      if (found === undefined) return [];
      span.noteField(field, candidate, found);
      return [found];
    });
  };
}
