import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { backends } from '../../platform/postgres/postgres-backends.fixture.ts';
import { openPromptsService } from './prompts-service.fixture.ts';
import type { PromptsService } from './prompts-service.fixture.ts';
import { PromptsModel } from './prompts.oracle.ts';
import type { ModelAnswer } from './prompts.oracle.ts';

const few = <T>(...values: T[]) => fc.constantFrom(...values);
const name = few('a', 'b', 'c', 'd');
const label = few('production', 'x', 'y');
const labels = fc.uniqueArray(label, { maxLength: 2 });
const version = fc.integer({ min: 1, max: 4 });
const tags = fc.uniqueArray(few('t', 'u', 'v'), { maxLength: 3 });
const folder = few(null, 'f', 'f/g');
const selection = fc.oneof(
  fc.constant({}),
  version.map((number) => ({ version: number })),
  fc.oneof(label, fc.constant('latest')).map((text) => ({ label: text })),
);
const reference = fc
  .tuple(name, selection)
  .map(([target, chosen]) =>
    'version' in chosen
      ? `{{> ${target}#${chosen.version} }}`
      : 'label' in chosen
        ? `{{> ${target}@${chosen.label} }}`
        : `{{> ${target} }}`,
  );
const prompt = fc
  .array(fc.oneof({ weight: 2, arbitrary: few('1', '{{v}}', '') }, { weight: 1, arbitrary: reference }), { maxLength: 3 })
  .map((parts) => parts.join('.'));

/** One request and the model's answer. */
interface Step {
  told: string;
  method: string;
  path: string;
  body?: object;
  expected(model: PromptsModel): ModelAnswer;
  /** Selects the part of the answer that the model predicts. */
  read?(body: Record<string, unknown>): unknown;
}

const versionsOf = (body: Record<string, unknown>) => body['versions'];
const given = fc.record({ labels, tags, folder }, { requiredKeys: [] });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(name, prompt, given).map(([of, text, rest]) => ({
      told: `create ${of} ${JSON.stringify({ text, ...rest })}`,
      method: 'POST',
      path: '',
      body: { name: of, prompt: text, ...rest },
      expected: (model: PromptsModel) => model.create(of, text, rest),
    })),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(name, version, labels).map(([of, on, moved]) => ({
      told: `label ${of} ${on} ${moved.join()}`,
      method: 'PATCH',
      path: `/${of}/labels`,
      body: { version: on, labels: moved },
      expected: (model: PromptsModel) => model.label(of, on, moved),
      read: versionsOf,
    })),
  },
  fc.tuple(name, tags).map(([of, set]) => ({
    told: `tag ${of} ${set.join()}`,
    method: 'PATCH',
    path: `/${of}/tags`,
    body: { tags: set },
    expected: (model: PromptsModel) => model.tag(of, set),
    read: versionsOf,
  })),
  fc.tuple(name, folder).map(([of, to]) => ({
    told: `move ${of} ${to}`,
    method: 'PATCH',
    path: `/${of}/folder`,
    body: { folder: to },
    expected: (model: PromptsModel) => model.move(of, to),
  })),
  name.map((of) => ({
    told: `delete ${of}`,
    method: 'DELETE',
    path: `/${of}`,
    expected: (model: PromptsModel) => model.delete(of),
  })),
  {
    weight: 4,
    arbitrary: fc.tuple(name, selection).map(([of, chosen]) => ({
      told: `fetch ${of} ${JSON.stringify(chosen)}`,
      method: 'GET',
      path: `?${new URLSearchParams({ name: of, ...(chosen as Record<string, string>) })}`,
      expected: (model: PromptsModel) => model.fetch(of, chosen),
    })),
  },
);

describe.each(backends)('any sequence of operations, $mode', (backend) => {
  let service: PromptsService;
  beforeAll(async () => {
    service = await openPromptsService(backend);
  });
  afterAll(() => service.close());

  test('answers equal those of the model in memory', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const { key } = await service.project();
        const model = new PromptsModel();
        const get = async (path: string) => (await service.request(key, 'GET', `/v1/prompts${path}`)).body;
        for (const { told, method, path, body, expected, read } of steps) {
          const answer = await service.request(key, method, `/v1/prompts${path}`, body);
          const { status, body: wanted } = expected(model);
          expect(answer.status, `${told}: ${answer.text}`).toBe(status);
          if (wanted !== undefined) expect(read ? read(answer.body) : answer.body, told).toMatchObject(wanted as object);
        }
        expect((await get('')).prompts).toMatchObject(model.list());
        expect((await get('/folders')).folders).toEqual(model.folders());
        for (const of of ['a', 'b', 'c', 'd']) {
          const { status, body: wanted } = model.versions(of);
          const answer = await service.request(key, 'GET', `/v1/prompts/${of}/versions`);
          expect(answer.status).toBe(status);
          if (wanted !== undefined) expect(answer.body.versions).toMatchObject(wanted as object);
        }
      }),
      { numRuns: runs({ embedded: 20, servers: 40 }) },
    );
  });
});
