import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embeddedBackend } from '../../platform/postgres/postgres-backends.fixture.ts';
import { openPromptsService } from './prompts-service.fixture.ts';
import type { PromptsService } from './prompts-service.fixture.ts';

let service: PromptsService;
let made = 0;
beforeAll(async () => {
  service = await openPromptsService(embeddedBackend);
});
afterAll(() => service.close());

/** A new prompt with one version. */
async function created(more: object = {}): Promise<string> {
  const name = `prompt ${++made}`;
  await service.create({ name, prompt: 'one', config: { temperature: 0.2 }, ...more });
  return name;
}

async function proposed(name: string, prompt: string, last = async (): Promise<void> => undefined): Promise<number> {
  const base = await service.prompts.findVersion(service.projectId, name, null);
  const proposal = { baseId: base?.id ?? '', prompt, commitMessage: 'Proposed', createdBy: 'owner@example.com' };
  return service.prompts.createProposal(service.projectId, proposal, last);
}

const get = (query: string) => service.request(service.key, 'GET', `/v1/prompts${query}`);
const fetched = (name: string, more = '') => get(`?name=${encodeURIComponent(name)}${more}`);
const label = (name: string, version: number, labels: string[]) =>
  service.request(service.key, 'PATCH', `/v1/prompts/${encodeURIComponent(name)}/labels`, { version, labels });
const listed = async (name: string) =>
  (await get(`/${encodeURIComponent(name)}/versions`)).body.versions.map(
    ({ version, labels, proposal }: Record<string, unknown>) => [version, labels, proposal],
  );

describe('a proposal', () => {
  test('has no label, and every reader of latest passes it by', async () => {
    const name = await created({ tags: ['t'], folder: 'f' });
    const before = await fetched(name);
    expect(await proposed(name, 'two')).toBe(2);
    expect((await fetched(name)).body.version).toBe(1);
    expect((await fetched(name, '&label=latest')).body.version).toBe(1);
    expect((await fetched(name)).headers.get('etag')).toBe(before.headers.get('etag'));
    const reading = await service.create({
      name: `${name} reader`,
      prompt: `{{> ${name} }} {{> ${name}@latest }} {{> ${name}#2 }}`,
    });
    expect(reading.resolvedPrompt).toBe('one one two');
    const list = (await get(`?q=${encodeURIComponent(name)}`)).body.prompts;
    expect(list[0]).toMatchObject({ name, version: 1, labels: ['latest'] });
    expect(await listed(name)).toEqual([
      [2, [], true],
      [1, ['latest'], undefined],
    ]);
    expect((await fetched(name, '&version=2')).body).toMatchObject({
      prompt: 'two',
      type: 'text',
      config: { temperature: 0.2 },
      tags: ['t'],
      folder: 'f',
      commitMessage: 'Proposed',
      createdBy: 'owner@example.com',
      proposal: true,
    });
  });

  test('becomes an ordinary version by its first label, and latest if it is the newest', async () => {
    const name = await created();
    await proposed(name, 'two');
    await proposed(name, 'three');
    await label(name, 2, ['staging']);
    expect(await listed(name)).toEqual([
      [3, [], true],
      [2, ['latest', 'staging'], undefined],
      [1, [], undefined],
    ]);
    expect((await fetched(name)).body.version).toBe(2);
    // It stays one when its label moves on.
    await label(name, 1, ['staging']);
    expect((await fetched(name, '&label=latest')).body.version).toBe(2);
  });

  test('that is labelled after a newer version was made does not take latest', async () => {
    const name = await created();
    await proposed(name, 'two');
    expect((await service.create({ name, prompt: 'three' })).version).toBe(3);
    await label(name, 2, ['production']);
    expect(await listed(name)).toEqual([
      [3, ['latest'], undefined],
      [2, ['production'], undefined],
      [1, [], undefined],
    ]);
  });

  test('stays a proposal when no label is moved, or when the move is refused', async () => {
    const name = await created();
    await service.create({ name: `${name} outer`, prompt: `{{> ${name} }}` });
    await proposed(name, `{{> ${name} outer }}`);
    expect((await label(name, 2, [])).status).toBe(400);
    // As the current version it would refer to itself.
    expect((await label(name, 2, ['production'])).status).toBe(400);
    expect(await listed(name)).toEqual([
      [2, [], true],
      [1, ['latest'], undefined],
    ]);
  });

  test('is stored with the caller’s work or not at all', async () => {
    const name = await created();
    await expect(proposed(name, 'two', () => Promise.reject(new Error('not now')))).rejects.toThrow('not now');
    expect(await listed(name)).toEqual([[1, ['latest'], undefined]]);
  });

  test('needs its base, in the same project, and references that resolve', async () => {
    const name = await created();
    await expect(proposed(name, '{{> nothing }}')).rejects.toMatchObject({ code: 'invalid_request' });
    const base = await service.prompts.findVersion(service.projectId, name, null);
    const { projectId } = await service.project();
    const proposal = { baseId: base?.id ?? '', prompt: 'two', commitMessage: '', createdBy: '' };
    await expect(service.prompts.createProposal(projectId, proposal, async () => {})).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
