import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backends } from '../../platform/postgres/postgres-backends.fixture.ts';
import { openPromptsService } from './prompts-service.fixture.ts';
import type { By, PromptsService } from './prompts-service.fixture.ts';

describe.each(backends)('prompts, $mode', (backend) => {
  let service: PromptsService;
  let key: By;
  let names = 0;
  const fresh = () => `prompt ${++names}`;
  const path = (name: string, rest = '') => `/v1/prompts/${encodeURIComponent(name)}${rest}`;
  const call = async (method: string, url: string, body?: unknown, by: By = key) => {
    const answer = await service.request(by, method, url, body);
    return [answer.status, answer.body] as const;
  };
  const refused = (where: string) => [
    400,
    expect.objectContaining({ code: 'invalid_request', details: [expect.objectContaining({ path: where })] }),
  ];
  const missing = [404, expect.objectContaining({ code: 'not_found' })];
  const versions = async (name: string) => (await call('GET', path(name, '/versions')))[1].versions;
  const fetched = (name: string, rest = '') => call('GET', `/v1/prompts?name=${encodeURIComponent(name)}${rest}`);

  beforeAll(async () => {
    service = await openPromptsService(backend);
    ({ key } = service);
  });
  afterAll(() => service.close());

  describe('access', () => {
    test('401 without credentials, 403 without the permission or for another project, 400 without a projectId', async () => {
      const viewer = await service.person('viewer');
      const name = fresh();
      await service.create({ name, prompt: 'x' });
      const writes: Array<[method: string, path: string, body: object | undefined]> = [
        ['POST', '/v1/prompts', { name, prompt: 'x' }],
        ['PATCH', path(name, '/tags'), { tags: [] }],
        ['PATCH', path(name, '/folder'), { folder: null }],
        ['PATCH', path(name, '/labels'), { version: 1, labels: ['l'] }],
        ['DELETE', path(name, '/labels/l'), undefined],
        ['DELETE', path(name), undefined],
      ];
      const reads: typeof writes = ['/v1/prompts', '/v1/prompts/folders', path(name, '/versions')].map((url) => [
        'GET',
        url,
        undefined,
      ]);
      const project = `?projectId=${service.projectId}`;
      const another = '?projectId=0197a000-0000-7000-8000-00000000dead';
      for (const [method, url, body] of [...writes, ...reads]) {
        expect((await call(method, url, body, {}))[0], url).toBe(401);
        expect((await call(method, url, body, { 'x-api-key': 'spw_x' }))[0], url).toBe(401);
        expect(await call(method, url, body, viewer), url).toEqual(refused('/projectId'));
        expect((await call(method, url + another, body, viewer))[0], url).toBe(403);
        expect((await call(method, url + project, body, viewer))[0], url).toBe(method === 'GET' ? 200 : 403);
      }
      const inBody = { tags: ['in body'], projectId: service.projectId };
      expect((await call('PATCH', path(name, '/tags'), inBody, viewer))[0]).toBe(403);
      expect((await call('PATCH', path(name, '/tags'), inBody, await service.person('member')))[0]).toBe(200);
    });

    test('a key reads its own project and ignores projectId', async () => {
      const other = await service.project();
      const name = fresh();
      await service.create({ name, prompt: 'mine' });
      for (const projectId of [service.projectId, 'nonsense', 7]) {
        const [status, body] = await call('POST', '/v1/prompts', { name, prompt: 'theirs', projectId }, other.key);
        expect([status, body.projectId]).toEqual([201, other.projectId]);
      }
      expect(await call('GET', `/v1/prompts?projectId=${service.projectId}`, undefined, other.key)).toMatchObject([
        200,
        { prompts: [{ prompt: 'theirs', projectId: other.projectId }] },
      ]);
      expect(await fetched(name)).toMatchObject([200, { prompt: 'mine' }]);
      const unseen = fresh();
      await service.create({ name: unseen, prompt: 'mine' });
      for (const [method, rest, body] of [
        ['GET', '/versions', undefined],
        ['PATCH', '/tags', { tags: [] }],
        ['DELETE', '', undefined],
      ] as const)
        expect(await call(method, path(unseen, rest), body, other.key)).toEqual(missing);
    });
  });

  describe('names in paths', () => {
    test.each(['a/b', 'a%2Fb', '...', '😀 with spaces', 'folders', 'a?b#c', '%', 'e\u0301', ' spaced ', '\u{10FFFF}'])(
      '%j is reached by every route',
      async (name) => {
        // Encode dots too, which encodeURIComponent keeps: a segment `..` would leave the directory.
        const url = (rest: string) => `/v1/prompts/${encodeURIComponent(name).replaceAll('.', '%2E')}${rest}`;
        await service.create({ name, prompt: 'x' });
        expect(await call('PATCH', url('/tags'), { tags: ['t'] })).toMatchObject([200, { versions: [{ name, tags: ['t'] }] }]);
        expect(await call('PATCH', url('/folder'), { folder: 'f' })).toMatchObject([200, { updatedCount: 1 }]);
        expect(await call('PATCH', url('/labels'), { version: 1, labels: ['l'] })).toMatchObject([200, { versions: [{ name }] }]);
        expect(await call('GET', url('/versions'))).toMatchObject([200, { versions: [{ name }] }]);
        expect(await fetched(name, '&label=l')).toMatchObject([200, { name, labels: ['l', 'latest'] }]);
        expect(await call('DELETE', url(''))).toEqual([204, null]);
        expect(await fetched(name)).toEqual(missing);
      },
    );

    test('a name differs from its encoded form', async () => {
      await service.create({ name: 'x/y', prompt: 'slash' });
      await service.create({ name: 'x%2Fy', prompt: 'percent' });
      expect(await call('GET', '/v1/prompts/x%2Fy/versions')).toMatchObject([200, { versions: [{ prompt: 'slash' }] }]);
      expect(await call('GET', '/v1/prompts/x%252Fy/versions')).toMatchObject([200, { versions: [{ prompt: 'percent' }] }]);
    });
  });

  describe('PATCH /v1/prompts/{name}/tags', () => {
    test('200: all versions have the new tags, in the given order, without duplicates', async () => {
      const name = fresh();
      await service.create({ name, prompt: '1', tags: ['old'] });
      await service.create({ name, prompt: '2' });
      service.clock.advance(1_000);
      const [status, body] = await call('PATCH', path(name, '/tags'), { tags: [' z ', 'a', 'z', 'Z'] });
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(['versions']);
      const updatedAt = new Date(service.clock.now()).toISOString();
      expect(body.versions).toMatchObject([2, 1].map((version) => ({ version, tags: ['z', 'a', 'Z'], updatedAt })));
      expect(await versions(name)).toEqual(body.versions);
      const fifty = Array.from({ length: 50 }, (_, index) => `tag ${index}`);
      expect(await call('PATCH', path(name, '/tags'), { tags: [...fifty, 'tag 0'] })).toMatchObject([
        200,
        { versions: [{ tags: fifty }, { tags: fifty }] },
      ]);
      expect(await call('PATCH', path(name, '/tags'), { tags: [] })).toMatchObject([200, { versions: [{ tags: [] }, {}] }]);
    });

    test('400: invalid tags', async () => {
      const name = fresh();
      await service.create({ name, prompt: '1' });
      const send = (body: unknown) => call('PATCH', path(name, '/tags'), body);
      expect(await send({})).toEqual(refused('/tags'));
      expect(await send({ tags: null })).toEqual(refused('/tags'));
      expect(await send({ tags: 'a' })).toEqual(refused('/tags'));
      expect(await send({ tags: ['a', 1] })).toEqual(refused('/tags/1'));
      expect(await send({ tags: ['\t '] })).toEqual(refused('/tags/0'));
      expect(await send({ tags: ['a\u0007'] })).toEqual(refused('/tags/0'));
      expect(await send({ tags: Array.from({ length: 51 }, (_, index) => `n${index}`) })).toEqual(refused('/tags'));
      expect(await send({ tags: [], more: 1 })).toEqual(refused('/more'));
      expect((await send({ tags: ['x'.repeat(100)] }))[0]).toBe(200);
    });

    test('404: an unknown prompt, before the body is validated', async () => {
      for (const rest of ['/tags', '/folder', '/labels'])
        expect(await call('PATCH', path('unknown', rest), { wrong: 1 })).toEqual(missing);
    });
  });

  describe('PATCH /v1/prompts/{name}/folder', () => {
    test('200: the folder of all versions, without outer slashes; null and an empty one are the root', async () => {
      const name = fresh();
      await service.create({ name, prompt: '1' });
      await service.create({ name, prompt: '2' });
      const move = (folder: unknown) => call('PATCH', path(name, '/folder'), { folder });
      const answer = (folder: string | null) => [200, { success: true, folder, updatedCount: 2 }];
      expect(await move('//a/b c/ü//')).toEqual(answer('a/b c/ü'));
      expect((await versions(name)).map(({ folder }: { folder: string }) => folder)).toEqual(['a/b c/ü', 'a/b c/ü']);
      expect(await move('///')).toEqual(answer(null));
      expect(await move('a')).toEqual(answer('a'));
      expect(await move('')).toEqual(answer(null));
      expect(await move(null)).toEqual(answer(null));
      expect(await move(Array.from({ length: 20 }, () => 'x').join('/'))).toMatchObject([200, {}]);
      expect(await move('😀'.repeat(255))).toEqual(answer('😀'.repeat(255)));
    });

    test('400: invalid folders', async () => {
      const name = fresh();
      await service.create({ name, prompt: '1' });
      const bad = [undefined, 3, ['a'], 'a//b', 'a/./b', '..', 'a/..', 'a\u0001', 'x'.repeat(256), 'a/'.repeat(21), '\ud800'];
      for (const folder of bad)
        expect(await call('PATCH', path(name, '/folder'), { folder }), String(folder)).toEqual(refused('/folder'));
    });
  });

  test('GET /v1/prompts/folders: 200, distinct folders in code point order, without the root', async () => {
    const { key: other } = await service.project();
    const folders = ['b', 'a/c', null, 'b', '\u{1F600}', '\uFFFD', 'B', 'a'];
    for (const [index, folder] of folders.entries())
      await call('POST', '/v1/prompts', { name: `p${index}`, prompt: '', folder }, other);
    expect(await call('GET', '/v1/prompts/folders', undefined, other)).toEqual([
      200,
      { folders: ['B', 'a', 'a/c', 'b', '\uFFFD', '\u{1F600}'] },
    ]);
  });

  describe('PATCH /v1/prompts/{name}/labels', () => {
    test('200: the labels are on that version only, its other labels stay; the audit log records it', async () => {
      const name = fresh();
      await service.create({ name, prompt: '1', labels: ['production', 'keeps'] });
      await service.create({ name, prompt: '2', labels: ['stays'] });
      service.clock.advance(1_000);
      const [status, body] = await call('PATCH', path(name, '/labels'), { version: 2, labels: [' production', 'new'] });
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(['versions']);
      expect(body.versions).toMatchObject([
        { version: 2, labels: ['latest', 'new', 'production', 'stays'] },
        { version: 1, labels: ['keeps'] },
      ]);
      expect(await versions(name)).toEqual(body.versions);
      // Repeating the request moves nothing.
      await call('PATCH', path(name, '/labels'), { version: 2, labels: ['production'] });
      const told = (await service.movedLabels()).filter(({ subject }) => subject === name);
      expect(told.map(({ detail }) => detail)).toEqual([
        {
          name,
          labels: [
            { label: 'production', from: 1, to: 2 },
            { label: 'new', from: null, to: 2 },
          ],
        },
      ]);
    });

    test('400 and 404: invalid labels and versions, unknown versions', async () => {
      const name = fresh();
      await service.create({ name, prompt: '1' });
      const send = (body: unknown) => call('PATCH', path(name, '/labels'), body);
      expect(await send({ version: 1 })).toEqual(refused('/labels'));
      expect(await send({ labels: ['a'] })).toEqual(refused('/version'));
      expect(await send({ version: '1', labels: [] })).toEqual(refused('/version'));
      expect(await send({ version: 0, labels: [] })).toEqual(refused('/version'));
      expect(await send({ version: 2_147_483_648, labels: [] })).toEqual(refused('/version'));
      expect(await send({ version: 1, labels: ['latest'] })).toEqual(refused('/labels/0'));
      expect(await send({ version: 2, labels: ['a'] })).toEqual(missing);
      expect(await send({ version: 1, labels: [] })).toEqual(refused('/labels'));
      expect(await send({ version: 1, labels: [], remove: [] })).toEqual(refused('/labels'));
      expect(await send({ version: 1, remove: ['latest'] })).toEqual(refused('/remove/0'));
      expect(await send({ version: 1, labels: ['a'], remove: ['b', 'a'] })).toEqual(refused('/remove'));
      expect(await send({ version: 2, remove: ['a'] })).toEqual(missing);
    });

    test('200: remove takes labels off that version alone, and is recorded', async () => {
      const name = fresh();
      await service.create({ name, prompt: '1', labels: ['production', 'elsewhere'] });
      await service.create({ name, prompt: '2', labels: ['staging', 'stays'] });
      const remove = { version: 2, labels: ['production'], remove: ['staging', 'elsewhere', 'unknown'] };
      const [status, body] = await call('PATCH', path(name, '/labels'), remove);
      expect(status).toBe(200);
      expect(body.versions).toMatchObject([
        { version: 2, labels: ['latest', 'production', 'stays'] },
        { version: 1, labels: ['elsewhere'] },
      ]);
      expect(await call('PATCH', path(name, '/labels'), { version: 2, remove: ['staging'] })).toEqual([200, body]);
      expect(await fetched(name, '&label=staging')).toEqual(missing);
      expect((await service.movedLabels()).filter(({ subject }) => subject === name).map(({ detail }) => detail)).toEqual([
        {
          name,
          labels: [
            { label: 'production', from: 1, to: 2 },
            { label: 'staging', from: 2, to: null },
          ],
        },
      ]);
    });
  });

  describe('DELETE /v1/prompts/{name}/labels/{label}', () => {
    test('204 and recorded, then 404; latest cannot be removed', async () => {
      const name = fresh();
      await service.create({ name, prompt: '1', labels: ['a label/of two'] });
      await service.create({ name, prompt: '2' });
      const label = path(name, `/labels/${encodeURIComponent('a label/of two')}`);
      expect(await call('DELETE', label)).toEqual([204, null]);
      expect(await versions(name)).toMatchObject([{ labels: ['latest'] }, { labels: [] }]);
      expect(await call('DELETE', label)).toEqual(missing);
      expect(await call('DELETE', path(fresh(), '/labels/a'))).toEqual(missing);
      expect((await call('DELETE', path(name, '/labels/latest')))[0]).toBe(400);
      expect((await service.movedLabels()).filter(({ subject }) => subject === name)).toMatchObject([
        { detail: { name, labels: [{ label: 'a label/of two', from: 1, to: null }] } },
      ]);
    });
  });

  test('GET /v1/prompts: 200, the labels of all versions, production first', async () => {
    const name = fresh();
    await service.create({ name, prompt: '1', labels: ['zeta', 'production'] });
    await service.create({ name, prompt: '2', labels: ['alpha'] });
    await service.create({ name, prompt: '3' });
    const bare = fresh();
    await service.create({ name: bare, prompt: 'x' });
    const [, { prompts }] = await call('GET', '/v1/prompts?limit=200');
    const labelsOf = (wanted: string) =>
      (prompts as Array<{ name: string; familyLabels: unknown }>).find((listed) => listed.name === wanted)?.familyLabels;
    expect(labelsOf(name)).toEqual([
      { label: 'production', version: 1 },
      { label: 'alpha', version: 2 },
      { label: 'zeta', version: 1 },
    ]);
    expect(labelsOf(bare)).toEqual([]);
  });

  describe('DELETE /v1/prompts/{name}', () => {
    test('204, then 404; a new prompt of the name starts at version 1 without labels', async () => {
      const name = fresh();
      await service.create({ name, prompt: '1', labels: ['production'], tags: ['t'], folder: 'f' });
      await service.create({ name, prompt: '2' });
      expect(await call('DELETE', path(name))).toEqual([204, null]);
      expect(await call('DELETE', path(name))).toEqual(missing);
      expect(await call('GET', path(name, '/versions'))).toEqual(missing);
      expect(await service.create({ name, prompt: 'x' })).toMatchObject({
        version: 1,
        labels: ['latest'],
        tags: [],
        folder: null,
      });
    });

    test('409 while another prompt refers to it, even from an old version; its own references do not count', async () => {
      const [name, other] = [fresh(), fresh()];
      await service.create({ name, prompt: '1' });
      await service.create({ name, prompt: `again {{> ${name}#1 }}` });
      await service.create({ name: other, prompt: `{{> ${name}#1 }}` });
      await service.create({ name: other, prompt: 'nothing any more' });
      expect(await call('DELETE', path(name))).toMatchObject([
        409,
        { code: 'conflict', error: expect.stringContaining(`"${other}"`) },
      ]);
      expect(await call('DELETE', path(other))).toEqual([204, null]);
      expect(await call('DELETE', path(name))).toEqual([204, null]);
    });
  });

  test('405: unsupported methods', async () => {
    expect(await call('PUT', '/v1/prompts', {})).toMatchObject([405, { code: 'method_not_allowed' }]);
    expect(await call('GET', path('x', '/tags'))).toMatchObject([405, {}]);
  });
});
