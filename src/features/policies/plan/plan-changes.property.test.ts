import fc from 'fast-check';
import { expect, test } from 'vitest';
import { policySets } from '../policy-sets.fixture.ts';
import { planChanges, policiesAfter, summaryOf } from './plan-changes.ts';
import type { CurrentPolicy } from './plan-changes.ts';
import { fieldsOfOracle } from './plan-changes.oracle.ts';

const keyOf = ({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`;
const managements = fc.infiniteStream(fc.constantFrom('code', 'dashboard', 'detached'));
const byCodeUnit = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);

test('a plan has one change for each policy of the files and of the project, in order', () => {
  fc.assert(
    fc.property(policySets, policySets, managements, (before, after, managedBy) => {
      const current = before.map((policy): CurrentPolicy => {
        const by = managedBy.next().value;
        return { ...policy, managedBy: by === 'code' ? 'code' : 'dashboard', detached: by === 'detached', path: null };
      });
      const planned = after.map((policy) => ({ ...policy, path: 'a.yaml' }));
      const changes = planChanges(current, planned);
      const old = new Map(current.map((policy) => [keyOf(policy), policy]));
      const removed = current.filter(
        (policy) => policy.managedBy === 'code' && !after.some((one) => keyOf(one) === keyOf(policy)),
      );
      expect(changes.map(keyOf).toSorted()).toEqual([...planned, ...removed].map(keyOf).toSorted());
      for (const policy of planned) {
        const was = old.get(keyOf(policy));
        // A change of the type leaves a value of another type in the configuration; the oracle has one default for each type.
        const isComparable =
          !was || was.kind !== 'Guardrail' || policy.kind !== 'Guardrail' || was.spec.type === policy.spec.type;
        const change = changes.find((one) => keyOf(one) === keyOf(policy));
        expect(change).toMatchObject({
          adopt: was?.managedBy === 'dashboard' && !was.detached,
          detached: was?.detached ?? false,
        });
        if (!was) expect(change).toMatchObject({ action: 'create', fields: [] });
        else if (isComparable) {
          const fields = fieldsOfOracle(was, policy).toSorted((left, right) => byCodeUnit(left.path, right.path));
          expect(change?.fields.toSorted((left, right) => byCodeUnit(left.path, right.path))).toEqual(fields);
          expect(change?.action).toBe(fields.length > 0 ? 'update' : 'none');
        } else expect(change?.action).toBe('update');
      }
      const order = changes.map(
        ({ action, kind, name }) => [['create', 'update', 'remove', 'none'].indexOf(action), kind, name] as const,
      );
      expect(order).toEqual(
        order.toSorted((left, right) => left[0] - right[0] || byCodeUnit(left[1], right[1]) || byCodeUnit(left[2], right[2])),
      );
      expect(Object.values(summaryOf(changes)).reduce((sum, count) => sum + count, 0)).toBe(changes.length);
      // Applied, nothing is left to do.
      const applied = policiesAfter(current, planned).map((policy): CurrentPolicy => {
        const own = planned.some((one) => keyOf(one) === keyOf(policy));
        return { ...policy, managedBy: own ? 'code' : 'dashboard', detached: false, path: null };
      });
      expect(summaryOf(planChanges(applied, planned))).toEqual({ create: 0, update: 0, remove: 0, none: planned.length });
    }),
    { numRuns: 300, endOnFailure: true },
  );
});
