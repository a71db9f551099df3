import { describe, expect, test } from 'vitest';
import type { SpanRecord } from '../../records/index.ts';
import { clientSpans } from '../client-spans.fixture.ts';
import { readAttributes } from '../read-attributes.fixture.ts';

const payloads = new Set(['input', 'output', 'metadata']);

/** The named fields of a record, payloads as values. */
function fieldsOf(record: SpanRecord, names: readonly string[]): Record<string, unknown> {
  const entries = Object.entries(record).filter(([name]) => names.includes(name));
  return Object.fromEntries(
    entries.map(([name, value]) => [name, payloads.has(name) ? (JSON.parse(String(value)) as unknown) : value]),
  );
}

describe.each(clientSpans)('$client', ({ attributes, parts, fields }) => {
  test.each(['protobuf', 'json'] as const)('in %s', (encoding) => {
    const record = readAttributes(attributes, parts, encoding);
    expect(fieldsOf(record, Object.keys(fields))).toEqual(fields);
    expect(Object.keys(JSON.parse(record.attributes) as object)).toEqual(Object.keys(attributes));
  });
});
