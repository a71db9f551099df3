import type { FieldSource } from '../../../contract/span-mapping.ts';
import { SpanView, type ConventionAttribute } from '../readers/span-view.ts';
import type { Attributes, PresentValue } from '../wire/attribute.ts';
import type { FieldName } from '../wire/field-priority.ts';
import type { OtlpEvent, OtlpSpan } from '../wire/model.ts';

/** Where the value of a field was found. */
export interface FoundField {
  convention: string;
  sources: readonly FieldSource[];
  value: unknown;
}

/** Names of `fieldPriority` that are not the name of one attribute. */
const placeholder = /^\(.*\)$|\*$/;

/** A span view that records the source of each field while the conventions read the span. */
export class RecordingView extends SpanView {
  readonly found = new Map<FieldName, FoundField>();
  /** Attributes and events read since the last call of `at`. */
  #alsoRead: FieldSource[] = [];

  override reset(attributes: Attributes, span: OtlpSpan | null, scopeName = ''): void {
    this.found.clear();
    super.reset(attributes, span, scopeName);
  }

  override at(slot: number): PresentValue | undefined {
    this.#alsoRead = [];
    return super.at(slot);
  }

  override get(name: string): PresentValue | undefined {
    const value = super.get(name);
    if (value !== undefined) this.#alsoRead.push(this.#attribute(name));
    return value;
  }

  override numbered(prefix: string): { rest: string; value: PresentValue }[] {
    const items = super.numbered(prefix);
    for (const { rest } of items) this.#alsoRead.push(this.#attribute(prefix + rest));
    return items;
  }

  override noteEvent({ name }: OtlpEvent): void {
    this.#alsoRead.push({ in: 'event', key: name });
  }

  override noteField(field: FieldName, { convention, attribute }: ConventionAttribute, value: unknown): void {
    const sources: FieldSource[] = [];
    if (attribute === '(status)') sources.push({ in: 'field', key: field === 'failed' ? 'status.code' : 'status.message' });
    else if (attribute === '(scope)') sources.push({ in: 'field', key: 'scope.name' }, { in: 'field', key: 'name' });
    else if (!placeholder.test(attribute)) sources.push(this.#attribute(attribute));
    // Of a field that several attributes fill together, all are named.
    const earlier = field === 'tokenClasses' ? (this.found.get(field)?.sources ?? []) : [];
    this.found.set(field, { convention, value, sources: withoutRepeats([...earlier, ...sources, ...this.#alsoRead]) });
  }

  #attribute(key: string): FieldSource {
    return { in: this.span === null ? 'resource' : 'span', key };
  }
}

/** The distinct sources, in order of first occurrence. */
export function withoutRepeats(sources: readonly FieldSource[]): FieldSource[] {
  return [...new Map(sources.map((source) => [`${source.in} ${source.key}`, source])).values()];
}
