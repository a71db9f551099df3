import type { SpanKind } from '../../../contract/kinds.ts';
import { findValue, type Attributes } from './attribute.ts';
import { slotCount, slotOf } from './attribute-key.ts';
import type { Present, ReadAttribute } from './convention.ts';
import type { FieldName } from './field-priority.ts';
import type { OtlpEvent, OtlpSpan } from './model.ts';
import { parseJson } from './parse-json.ts';

const eventsSlot = slotOf('(events)');
const statusSlot = slotOf('(status)');
/** Of the numbered attributes of a list. */
const mostNumbered = 10_000;

/**
 * A span as the conventions see it: its values by slot, so that a field's attributes are found without searching. One view
 * is used for one span after another.
 */
export class SpanView {
  readonly #values: (Present | undefined)[] = Array.from({ length: slotCount });
  readonly #parsed = new Map<string, unknown>();
  #attributes: Attributes = [];
  /** Null for a resource. */
  span: OtlpSpan | null = null;
  /** Known once the field `kind` is; `span` before. */
  kind: SpanKind = 'span';

  /** Turns to another span, or to a resource when `span` is null. */
  look(attributes: Attributes, span: OtlpSpan | null): void {
    this.#attributes = attributes;
    this.span = span;
    this.kind = 'span';
    this.#values.fill(undefined);
    if (this.#parsed.size > 0) this.#parsed.clear();
    for (const attribute of attributes) {
      const { slot } = attribute.key;
      if (slot >= 0 && attribute.value !== null) this.#values[slot] = attribute.value;
    }
    if (span === null) return;
    if (span.events.length > 0) this.#values[eventsSlot] = true;
    if (span.statusCode !== 0 || span.statusMessage !== '') this.#values[statusSlot] = true;
  }

  at(slot: number): Present | undefined {
    return this.#values[slot];
  }

  /** The value of any attribute of the span, known to `fieldPriority` or not. */
  get(name: string): Present | undefined {
    return findValue(this.#attributes, name);
  }

  /** The attributes `prefix` + a number + ..., in the order of the span, by the rest of their names behind the prefix. */
  numbered(prefix: string): { rest: string; value: Present }[] {
    const found: { rest: string; value: Present }[] = [];
    for (const { key, value } of this.#attributes) {
      if (value === null || !key.name.startsWith(prefix)) continue;
      const rest = key.name.slice(prefix.length);
      if (/^\d/.test(rest) && found.length < mostNumbered) found.push({ rest, value });
    }
    return found;
  }

  /** An event that what is being read is taken from. Nothing is done with it here: `RecordingView` notes it. */
  readEvent(_event: OtlpEvent): void {}

  /** A field was just read from an attribute, and what else was asked for since. Nothing is done with it here: `RecordingView` notes it. */
  filled(_field: FieldName, _from: ReadAttribute, _value: unknown): void {}

  /** The JSON in a text, undefined when it is none. Several fields read the same attribute, so it is parsed once a span. */
  json(text: string): unknown {
    if (this.#parsed.has(text)) return this.#parsed.get(text);
    const parsed = parseJson(text);
    this.#parsed.set(text, parsed);
    return parsed;
  }
}
