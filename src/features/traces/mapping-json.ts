import type { MappedField } from '../otlp/index.ts';

/** The mapping of a span as JSON text, with the values as they are stored. */
export function mappingJson(spanId: string, source: 'native' | 'otlp', fields: readonly MappedField[]): string {
  return `{"spanId":${JSON.stringify(spanId)},"source":"${source}","fields":[${fields.map(fieldJson).join(',')}]}`;
}

function fieldJson({ field, convention, attributes, json }: MappedField): string {
  return `${JSON.stringify({ field, convention, attributes }).slice(0, -1)},"value":${json}}`;
}
