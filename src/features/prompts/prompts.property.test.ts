import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { ServiceError } from '../../contract/errors.ts';
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
  send(service: PromptsService, project: Project): Promise<{ status: number; text: string; body: Record<string, unknown> }>;
  expected(model: PromptsModel): ModelAnswer;
  /** Selects the part of the answer that the model predicts. */
  read?(body: Record<string, unknown>): unknown;
}

type Project = Awaited<ReturnType<PromptsService['project']>>;

function sends(method: string, path: string, body?: object): Step['send'] {
  return (service, { key }) => service.request(key, method, `/v1/prompts${path}`, body);
}

/** Proposes a revision of the current version; a feature that proposes does so without HTTP. */
function proposes(of: string, text: string): Step['send'] {
  return async ({ prompts }, { projectId }) => {
    const base = await prompts.findVersion(projectId, of, null);
    if (!base) return { status: 404, text: '', body: {} };
    const proposal = { baseId: base.id, prompt: text, commitMessage: '', createdBy: 'owner@example.com' };
    try {
      return { status: 201, text: '', body: { version: await prompts.createProposal(projectId, proposal, async () => {}) } };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { status: error.status, text: error.message, body: {} };
    }
  };
}

/** An ordinary version leaves `proposal` out. */
const recordOf = (body: Record<string, unknown>) => ({ ...body, proposal: body['proposal'] ?? false });
const recordsOf = (records: unknown) => (records as Array<Record<string, unknown>>).map(recordOf);
const versionsOf = (body: Record<string, unknown>) => recordsOf(body['versions']);
const given = fc.record({ labels, tags, folder }, { requiredKeys: [] });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(name, prompt, given).map(([of, text, rest]) => ({
      told: `create ${of} ${JSON.stringify({ text, ...rest })}`,
      send: sends('POST', '', { name: of, prompt: text, ...rest }),
      expected: (model: PromptsModel) => model.create(of, text, rest),
      read: recordOf,
    })),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(name, version, fc.uniqueArray(label, { minLength: 1, maxLength: 2 })).map(([of, on, moved]) => ({
      told: `label ${of} ${on} ${moved.join()}`,
      send: sends('PATCH', `/${of}/labels`, { version: on, labels: moved }),
      expected: (model: PromptsModel) => model.label(of, on, moved),
      read: versionsOf,
    })),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(name, prompt).map(([of, text]) => ({
      told: `propose ${of} ${JSON.stringify(text)}`,
      send: proposes(of, text),
      expected: (model: PromptsModel) => model.propose(of, text),
    })),
  },
  fc.tuple(name, tags).map(([of, set]) => ({
    told: `tag ${of} ${set.join()}`,
    send: sends('PATCH', `/${of}/tags`, { tags: set }),
    expected: (model: PromptsModel) => model.tag(of, set),
    read: versionsOf,
  })),
  fc.tuple(name, folder).map(([of, to]) => ({
    told: `move ${of} ${to}`,
    send: sends('PATCH', `/${of}/folder`, { folder: to }),
    expected: (model: PromptsModel) => model.move(of, to),
  })),
  name.map((of) => ({
    told: `delete ${of}`,
    send: sends('DELETE', `/${of}`),
    expected: (model: PromptsModel) => model.delete(of),
  })),
  {
    weight: 4,
    arbitrary: fc.tuple(name, selection).map(([of, chosen]) => ({
      told: `fetch ${of} ${JSON.stringify(chosen)}`,
      send: sends('GET', `?${new URLSearchParams({ name: of, ...(chosen as Record<string, string>) })}`),
      expected: (model: PromptsModel) => model.fetch(of, chosen),
      read: recordOf,
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
        const project = await service.project();
        const { key } = project;
        const model = new PromptsModel();
        const get = async (path: string) => (await service.request(key, 'GET', `/v1/prompts${path}`)).body;
        for (const { told, send, expected, read } of steps) {
          const answer = await send(service, project);
          const { status, body: wanted } = expected(model);
          expect(answer.status, `${told}: ${answer.text}`).toBe(status);
          if (wanted !== undefined) expect(read ? read(answer.body) : answer.body, told).toMatchObject(wanted as object);
        }
        expect(recordsOf((await get('')).prompts)).toMatchObject(model.list());
        expect((await get('/folders')).folders).toEqual(model.folders());
        for (const of of ['a', 'b', 'c', 'd']) {
          const { status, body: wanted } = model.versions(of);
          const answer = await service.request(key, 'GET', `/v1/prompts/${of}/versions`);
          expect(answer.status).toBe(status);
          if (wanted !== undefined) expect(versionsOf(answer.body)).toMatchObject(wanted as object);
        }
      }),
      { numRuns: runs({ usual: 20, nightly: 40 }) },
    );
  });
});
