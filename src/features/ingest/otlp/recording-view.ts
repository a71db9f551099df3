import type { ConventionName, FieldSource } from '../../../contract/span-mapping.ts';
import type { Attributes } from './attribute.ts';
import type { Present, ReadAttribute } from './convention.ts';
import type { FieldName } from './field-priority.ts';
import type { OtlpEvent, OtlpSpan } from './model.ts';
import { SpanView } from './span-view.ts';

/** Where the value of a field was found. */
export interface FoundField {
  convention: ConventionName;
  sources: readonly FieldSource[];
  value: unknown;
}

/** Names of `fieldPriority` that stand for something else than one attribute. */
const standIn = /^\(.*\)$|\*$/;

/** A view that notes where each field was found, while the same conventions read it that read a span when it arrives. */
export class RecordingView extends SpanView {
  readonly found = new Map<FieldName, FoundField>();
  /** What was asked for since a field's attribute was. */
  #asked: FieldSource[] = [];

  override look(attributes: Attributes, span: OtlpSpan | null): void {
    this.found.clear();
    super.look(attributes, span);
  }

  override at(slot: number): Present | undefined {
    this.#asked = [];
    return super.at(slot);
  }

  override get(name: string): Present | undefined {
    const value = super.get(name);
    if (value !== undefined) this.#asked.push(this.#attribute(name));
    return value;
  }

  override numbered(prefix: string): { rest: string; value: Present }[] {
    const items = super.numbered(prefix);
    for (const { rest } of items) this.#asked.push(this.#attribute(prefix + rest));
    return items;
  }

  override readEvent({ name }: OtlpEvent): void {
    this.#asked.push({ in: 'event', key: name });
  }

  override filled(field: FieldName, { convention, attribute }: ReadAttribute, value: unknown): void {
    const sources: FieldSource[] = [];
    if (attribute === '(status)') sources.push({ in: 'field', key: field === 'failed' ? 'status.code' : 'status.message' });
    else if (!standIn.test(attribute)) sources.push(this.#attribute(attribute));
    this.found.set(field, { convention, value, sources: withoutRepeats([...sources, ...this.#asked]) });
  }

  #attribute(key: string): FieldSource {
    return { in: this.span === null ? 'resource' : 'span', key };
  }
}

/** The same sources, each once. */
export function withoutRepeats(sources: readonly FieldSource[]): FieldSource[] {
  return [...new Map(sources.map((source) => [`${source.in} ${source.key}`, source])).values()];
}
