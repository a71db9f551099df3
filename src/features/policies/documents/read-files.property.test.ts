import fc from 'fast-check';
import { expect, test } from 'vitest';
import { policySets } from '../policy-sets.fixture.ts';
import { renderPolicy } from '../pull/render-policy.ts';
import { maxFaults } from './files-read.ts';
import { readPolicyFiles } from './read-files.ts';

const pieces = fc.constantFrom(
  'apiVersion: spanwise/v1',
  'kind: Guardrail',
  'kind: Environment',
  'metadata: {name: a}',
  'spec:',
  '  type: pii',
  '---',
  '...',
  '\n',
  '\n',
  '  ',
  '\t',
  '- ',
  '? ',
  ': ',
  '[',
  ']',
  '{',
  '}',
  ',',
  '&a ',
  '*a',
  '!!str ',
  '|',
  '>-',
  '"',
  "'",
  '#',
  '%YAML 1.1',
  '<<: *a',
  '__proto__: 1',
  '\\',
  '\0',
  '\ud800',
  '\ufffd',
  '\r',
  '1e999',
);
const texts = fc.oneof(
  fc.string({ maxLength: 60, unit: 'binary' }),
  fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
  // A valid file with some of it replaced.
  fc.tuple(policySets, fc.nat(), fc.nat(20), fc.array(pieces, { maxLength: 3 })).map(([policies, at, length, parts]) => {
    const text = policies.map(renderPolicy).join('---\n');
    const from = text.length === 0 ? 0 : at % text.length;
    return text.slice(0, from) + parts.join('') + text.slice(from + length);
  }),
);

test('any text is read, and every fault lies inside of it', () => {
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 3 }), (contents) => {
      const files = contents.map((content, index) => ({ path: `${index}.yaml`, content }));
      const { faults, policies } = readPolicyFiles(files);
      expect(faults.length).toBeLessThanOrEqual(maxFaults);
      const places = faults.map(({ path, line, column }) => [path, line, column] as const);
      expect(places).toEqual(
        places.toSorted((left, right) =>
          left[0] < right[0] ? -1 : left[0] > right[0] ? 1 : left[1] - right[1] || left[2] - right[2],
        ),
      );
      for (const { path, line, column, message } of faults) {
        const lines = (files.find((file) => file.path === path)?.content ?? '').split('\n');
        expect(line).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(lines.length);
        expect(column).toBeGreaterThanOrEqual(1);
        expect(column).toBeLessThanOrEqual((lines[line - 1] ?? '').length + 1);
        expect(message).toMatch(/^[^a-z].*[.!?]$/su);
        expect(message.isWellFormed()).toBe(true);
      }
      for (const { path } of policies) expect(files.map((file) => file.path)).toContain(path);
    }),
    { numRuns: 500, endOnFailure: true },
  );
});
