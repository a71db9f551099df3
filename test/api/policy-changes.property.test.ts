import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openGovernance } from '../support/governance.ts';
import type { Governance } from '../support/governance.ts';
import { runs } from '../support/runs.ts';

// Random changes of environments and guardrails, against a model that is a map of each: the status of every request, what is stored in the end, the
// revision, and the audit entries.

let service: Governance;

beforeAll(async () => {
  service = await openGovernance(Date.UTC(2026, 10, 20, 10));
});
afterAll(() => service.close());

const names = ['a', 'b', 'c'] as const;
const name = fc.constantFrom(...names);
const text = fc.constantFrom('', 'one', 'two');
const environments = fc.option(fc.uniqueArray(name, { minLength: 1 }), { nil: null });
const terms = fc.constantFrom<string[]>(['x'], ['x', 'y']);

type Change =
  | { on: 'environments'; does: 'create' | 'change'; name: string; description?: string }
  | {
      on: 'guardrails';
      does: 'create' | 'change';
      name: string;
      priority?: number;
      terms?: string[];
      environments?: string[] | null;
    }
  | { on: 'environments' | 'guardrails'; does: 'delete'; name: string };

const guardrailFields = { priority: fc.nat(1), terms, environments };
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ on: fc.constant('environments' as const), does: fc.constant('create' as const), name, description: text }),
  fc.record(
    { on: fc.constant('environments' as const), does: fc.constant('change' as const), name, description: text },
    { requiredKeys: ['on', 'does', 'name'] },
  ),
  fc.record({ on: fc.constant('guardrails' as const), does: fc.constant('create' as const), name, ...guardrailFields }),
  fc.record(
    { on: fc.constant('guardrails' as const), does: fc.constant('change' as const), name, ...guardrailFields },
    { requiredKeys: ['on', 'does', 'name'] },
  ),
  fc.record({ on: fc.constantFrom('environments' as const, 'guardrails' as const), does: fc.constant('delete' as const), name }),
);

interface Guarded {
  priority: number;
  terms: string[];
  environments: string[] | null;
}

/** What the service must do. */
class Model {
  readonly environments = new Map<string, string>();
  readonly guardrails = new Map<string, Guarded>();
  readonly entries: Array<{ kind: string; changed?: string[] }> = [];

  /** @returns the expected status */
  apply(made: Change): number {
    if (made.does === 'delete') return this.#remove(made);
    return made.on === 'environments' ? this.#environment(made) : this.#guardrail(made);
  }

  #remove({ on, name: key }: Change): number {
    if (!this[on].has(key)) return 404;
    const named = [...this.guardrails.values()].some((one) => one.environments?.includes(key));
    if (on === 'environments' && named) return 409;
    this[on].delete(key);
    this.entries.push({ kind: `${on.slice(0, -1)}.deleted` });
    return 204;
  }

  #environment({ does, name: key, description }: Extract<Change, { on: 'environments'; does: 'create' | 'change' }>): number {
    const before = this.environments.get(key);
    if (does === 'create' && before !== undefined) return 409;
    if (does === 'change' && before === undefined) return 404;
    this.environments.set(key, description ?? before ?? '');
    if (does === 'create') this.entries.push({ kind: 'environment.created' });
    else if (description !== undefined && description !== before)
      this.entries.push({ kind: 'environment.updated', changed: ['description'] });
    return does === 'create' ? 201 : 200;
  }

  #guardrail(made: Extract<Change, { on: 'guardrails'; does: 'create' | 'change' }>): number {
    const { does, name: key } = made;
    const before = this.guardrails.get(key);
    if (does === 'change' && before === undefined) return 404;
    const after = pick({ ...(before ?? { priority: 0, terms: [], environments: null }), ...made });
    if (after.environments?.some((one) => !this.environments.has(one))) return 400;
    if (does === 'create' && before !== undefined) return 409;
    this.guardrails.set(key, after);
    if (before === undefined) {
      this.entries.push({ kind: 'guardrail.created' });
      return 201;
    }
    const fields = [
      ...(same(before.terms, after.terms) ? [] : ['config']),
      ...(same(before.environments, after.environments) ? [] : ['environments']),
      ...(before.priority === after.priority ? [] : ['priority']),
    ];
    if (fields.length > 0) this.entries.push({ kind: 'guardrail.updated', changed: fields });
    return 200;
  }
}

const pick = (guarded: Guarded): Guarded => ({
  priority: guarded.priority,
  terms: guarded.terms,
  environments: guarded.environments,
});
const same = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

function bodyOf(made: Change): object | undefined {
  if (made.does === 'delete') return undefined;
  const { on, does, name: key, ...fields } = made;
  if (on === 'environments') return { ...(does === 'create' && { name: key }), ...fields };
  const { terms: given, ...others } = fields as Partial<Guarded>;
  return {
    ...(does === 'create' && { slug: key, type: 'blocklist' }),
    ...others,
    ...(given && { config: { terms: given } }),
  };
}

const methods = { create: 'POST', change: 'PATCH', delete: 'DELETE' } as const;

test('every change counts one revision and writes one audit entry, and nothing else does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 25 }), async (changes) => {
      const { projectId } = await service.project();
      const model = new Model();
      const ids = new Map<string, string>();
      for (const made of changes) {
        const at = `/v1/projects/${projectId}/${made.on}`;
        const key = `${made.on}/${made.name}`;
        const one = `${at}/${ids.get(key) ?? projectId}`;
        const answer = await service.ownerAt(methods[made.does], made.does === 'create' ? at : one, bodyOf(made));
        expect(answer.status, `${JSON.stringify(made)}: ${answer.text}`).toBe(model.apply(made));
        if (answer.status === 201) ids.set(key, answer.body.id);
        if (answer.status === 204) ids.delete(key);
      }
      expect(await stored(projectId)).toEqual({ environments: model.environments, guardrails: model.guardrails });
      const entries = await service.entries(projectId);
      expect(entries.map(({ kind, detail }) => ({ kind, ...(detail['changed'] ? { changed: detail['changed'] } : {}) }))).toEqual(
        model.entries,
      );
      expect(entries.map(({ detail }) => detail['revision'])).toEqual(model.entries.map((_, index) => index + 1));
      expect(await service.revision(projectId)).toBe(model.entries.length);
      const revisions = await service.policies
        .selectFrom('policy_revisions')
        .select(['revision', 'audit_log_id', 'source'])
        .where('project_id', '=', projectId)
        .orderBy('revision')
        .execute();
      expect(revisions).toEqual(entries.map(({ id }, index) => ({ revision: index + 1, audit_log_id: id, source: 'dashboard' })));
    }),
    { numRuns: runs({ usual: 6, nightly: 15 }), endOnFailure: true },
  );
});

async function stored(projectId: string) {
  const read = async (on: string) => (await service.ownerAt('GET', `/v1/projects/${projectId}/${on}`)).body[on];
  const made: Array<{ name: string; description: string }> = await read('environments');
  const guarded: Array<Guarded & { slug: string; config: { terms: string[] } }> = await read('guardrails');
  return {
    environments: new Map(made.map((one) => [one.name, one.description])),
    guardrails: new Map(guarded.map((one) => [one.slug, pick({ ...one, terms: one.config.terms })])),
  };
}
