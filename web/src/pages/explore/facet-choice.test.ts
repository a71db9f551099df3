import { expect, test } from 'vitest';
import { parseFilter } from '../../../../src/contract/filter/parse.ts';
import { facetFields, facetLabel, keyedField, readFacetChoice, storeFacetChoice } from './facet-choice.ts';

test('every facet is a field of the language with a label of its own', () => {
  for (const on of ['spans', 'traces'] as const) {
    const labels = facetFields[on].map(facetLabel);
    expect(new Set(labels).size).toBe(labels.length);
    for (const field of facetFields[on]) expect(parseFilter(`${field}:*`, { on, nowMs: 0 }).type, field).toBe('field');
    for (const field of readFacetChoice('p', on).open) expect(facetFields[on]).toContain(field);
  }
});

test('a key is a facet as filters write it', () => {
  expect(keyedField(' metadata.customer.tier: ', 'spans')).toBe('metadata.customer.tier');
  expect(keyedField('metadata."a b"', 'spans')).toBe('metadata."a b"');
  expect(keyedField('label.tone', 'traces')).toBe('label.tone');
  expect([keyedField('metadata.', 'spans'), keyedField('latency', 'spans'), keyedField('metadata."a', 'spans')]).toEqual([
    null,
    null,
    null,
  ]);
});

test('the choice is remembered by project and list', () => {
  storeFacetChoice('q', 'spans', { listed: ['model', 'kind'], open: ['kind'] });
  expect(readFacetChoice('q', 'spans')).toEqual({ listed: ['model', 'kind'], open: ['kind'] });
  expect(readFacetChoice('q', 'traces').listed).toContain('status');
});
