import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPolicyFiles } from '../documents/read-files.ts';
import { policySets } from '../policy-sets.fixture.ts';
import { renderPolicy } from './render-policy.ts';

test('a rendered policy is read as what it was', () => {
  fc.assert(
    fc.property(policySets, (policies) => {
      const content = policies.map(renderPolicy).join('---\n');
      const { policies: read, faults } = readPolicyFiles([{ path: 'a.yaml', content }]);
      expect(faults).toEqual([]);
      expect(read).toMatchObject(policies.map((policy) => ({ ...policy, path: 'a.yaml' })));
      expect(read).toHaveLength(policies.length);
    }),
    { numRuns: 300, endOnFailure: true },
  );
});
