import type { SpanKind } from '../../../contract/kinds.ts';
import { slotCount, slotFields, slotOf } from '../wire/attribute-key.ts';
import { findValue, type Attributes, type PresentValue } from '../wire/attribute.ts';
import { fieldNames, type FieldName } from '../wire/field-priority.ts';
import type { OtlpEvent, OtlpSpan } from '../wire/model.ts';
import { parseJson } from './parse-json.ts';
import { parsePythonLiteral } from './python-literal.ts';

/** An attribute that a convention reads for a field. */
export interface ConventionAttribute {
  readonly convention: string;
  /** As `fieldPriority` names it. */
  readonly attribute: string;
}

const eventsSlot = slotOf('(events)');
const exceptionSlot = slotOf('(exception)');
const statusSlot = slotOf('(status)');
const scopeSlot = slotOf('(scope)');
/** Maximum numbered attributes that are read of one list. */
const maxNumbered = 10_000;

/**
 * The attributes of a span or resource, by slot, so that a field's attributes are found without a search. One view is reused for all
 * spans of a request.
 */
export class SpanView {
  readonly #values: (PresentValue | undefined)[] = Array.from({ length: slotCount });
  /** Whether a slot of a field is set, by the index of the field. */
  readonly #fields = new Uint8Array(fieldNames.length);
  readonly #parsed = new Map<string, unknown>();
  readonly #literals = new Map<string, unknown>();
  #attributes: Attributes = [];
  /** Null for a resource. */
  span: OtlpSpan | null = null;
  /** The name of the span's scope; `''` for none, and for a resource. */
  scopeName = '';
  /** Set once the field `kind` was read; `span` before. */
  kind: SpanKind = 'span';

  /** Makes this the view of another span and the name of its scope, or of a resource when `span` is null. */
  reset(attributes: Attributes, span: OtlpSpan | null, scopeName = ''): void {
    this.#attributes = attributes;
    this.span = span;
    this.scopeName = scopeName;
    this.kind = 'span';
    this.#values.fill(undefined);
    this.#fields.fill(0);
    if (this.#parsed.size > 0) this.#parsed.clear();
    if (this.#literals.size > 0) this.#literals.clear();
    for (const attribute of attributes) {
      const { slot } = attribute.key;
      if (slot >= 0 && attribute.value !== null) this.#set(slot, attribute.value);
    }
    if (span === null) return;
    if (scopeName !== '') this.#set(scopeSlot, scopeName);
    if (span.events.length > 0) {
      this.#set(eventsSlot, true);
      this.#set(exceptionSlot, true);
    }
    if (span.statusCode !== 0 || span.statusMessage !== '') this.#set(statusSlot, true);
  }

  #set(slot: number, value: PresentValue): void {
    this.#values[slot] = value;
    for (const field of slotFields[slot] ?? []) this.#fields[field] = 1;
  }

  /** Whether an attribute of a field is set. Most fields of a span have none, and their attributes are not looked up. */
  has(field: number): boolean {
    return this.#fields[field] === 1;
  }

  /** The value in a slot; undefined when it was not set. */
  at(slot: number): PresentValue | undefined {
    return this.#values[slot];
  }

  /** The value of any attribute by name, in `fieldPriority` or not. */
  get(name: string): PresentValue | undefined {
    return findValue(this.#attributes, name);
  }

  /** The attributes whose names are `prefix` and a number, in the span's order; `rest` is the name after the prefix. */
  numbered(prefix: string): { rest: string; value: PresentValue }[] {
    const found: { rest: string; value: PresentValue }[] = [];
    for (const { key, value } of this.#attributes) {
      if (value === null || !key.name.startsWith(prefix)) continue;
      const rest = key.name.slice(prefix.length);
      if (/^\d/.test(rest) && found.length < maxNumbered) found.push({ rest, value });
    }
    return found;
  }

  /** Called when a value is read from an event. `RecordingView` overrides it. */
  noteEvent(_event: OtlpEvent): void {}

  /** Called when a field was read. `RecordingView` overrides it. */
  noteField(_field: FieldName, _from: ConventionAttribute, _value: unknown): void {}

  /** The parsed JSON of a text, undefined when it is not JSON. Cached for the span, since several fields read one attribute. */
  json(text: string): unknown {
    if (this.#parsed.has(text)) return this.#parsed.get(text);
    const parsed = parseJson(text);
    this.#parsed.set(text, parsed);
    return parsed;
  }

  /** The value of a text that a Python client wrote with `str()`; undefined for anything else. Cached as {@link json} is. */
  pythonLiteral(text: string): unknown {
    if (!text.includes("'")) return undefined;
    if (this.#literals.has(text)) return this.#literals.get(text);
    const parsed = parsePythonLiteral(text);
    this.#literals.set(text, parsed);
    return parsed;
  }
}
