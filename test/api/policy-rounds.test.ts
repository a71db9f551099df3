import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderPolicy } from '../../src/features/policies/pull/render-policy.ts';
import { policySets } from '../../src/features/policies/policy-sets.fixture.ts';
import { openGovernance } from '../support/governance.ts';
import type { Governance } from '../support/governance.ts';
import { applied, planned, policyFile } from '../support/policy-files.ts';
import { runs } from '../support/runs.ts';

let service: Governance;

beforeAll(async () => {
  service = await openGovernance(Date.UTC(2026, 10, 20, 10));
});
afterAll(() => service.close());

const summaryOf = async (files: Parameters<typeof planned>[1]) => (await planned(service, files)).summary;

test('planned again, what was applied or pulled changes nothing', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(policySets, fc.nat(2), async (policies, more) => {
      const files = policies.map((policy, index) =>
        policyFile(`${index % 3}/${index}.yaml`, `# ${index}\n${renderPolicy(policy)}`),
      );
      await applied(service, files);
      expect(await summaryOf(files)).toEqual({ create: 0, update: 0, remove: 0, none: policies.length });
      const pull = async () => (await service.owner('GET', '/policies/pull')).body.files;
      expect(await pull()).toEqual(files.toSorted((left, right) => (left.path < right.path ? -1 : 1)));
      // The dashboard detaches some and makes an environment of its own.
      const { policies: listed } = (await service.owner('GET', '/policies')).body;
      const detached = listed.filter(({ managedBy }: { managedBy: string }) => managedBy === 'code').slice(0, more);
      for (const { id } of detached) await service.owner('POST', `/policies/${id}/detach`);
      const own = (await service.owner('POST', '/environments', { name: 'own', description: 'made here' })).body;
      const { changes, summary } = await planned(service, await pull());
      expect({ ...summary, none: 0 }).toEqual({ create: 0, update: 0, remove: 0, none: 0 });
      expect(changes.filter(({ adopt }: { adopt: boolean }) => adopt)).toMatchObject([{ name: 'own' }]);
      for (const { id } of detached) await service.owner('POST', `/policies/${id}/attach`);
      await service.owner('DELETE', `/environments/${own.id}`);
    }),
    { numRuns: runs({ usual: 4, nightly: 40 }), endOnFailure: true },
  );
});
