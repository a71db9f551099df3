import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { backends } from '../../platform/postgres/postgres-backends.fixture.ts';
import { openPromptsService } from './prompts-service.fixture.ts';
import type { By, PromptsService } from './prompts-service.fixture.ts';

describe.each(backends)('reading prompts, $mode', (backend) => {
  let service: PromptsService;
  let key: By;
  beforeAll(async () => {
    service = await openPromptsService(backend);
  });
  // A project for each test, so that lists contain only its prompts.
  beforeEach(async () => {
    ({ key } = await service.project());
  });
  afterAll(() => service.close());

  const request = (method: string, path: string, body?: unknown, headers: By = {}) =>
    service.request({ ...key, ...headers }, method, path, body);
  const create = async (body: object) => {
    const answer = await request('POST', '/v1/prompts', body);
    expect(answer.status, answer.text).toBe(201);
    return answer.body;
  };
  const get = async (query: string) => {
    const answer = await request('GET', `/v1/prompts?${query}`);
    return [answer.status, answer.body] as const;
  };
  const refused = (path: string) => [
    400,
    expect.objectContaining({ code: 'invalid_request', details: [expect.objectContaining({ path })] }),
  ];
  const missing = [404, expect.objectContaining({ code: 'not_found' })];

  describe('one version by name', () => {
    test('200: by version or label; with neither, production, else latest', async () => {
      await create({ name: 'p', prompt: '1' });
      await create({ name: 'p', prompt: '2' });
      expect(await get('name=p')).toMatchObject([200, { version: 2, labels: ['latest'] }]);
      await create({ name: 'p', prompt: '3', labels: ['staging'] });
      await request('PATCH', '/v1/prompts/p/labels', { version: 1, labels: ['production'] });
      expect(await get('name=p')).toMatchObject([200, { version: 1, prompt: '1', labels: ['production'] }]);
      expect(await get('name=p&label=production')).toMatchObject([200, { version: 1 }]);
      expect(await get('name=p&label=latest')).toMatchObject([200, { version: 3 }]);
      expect(await get('name=p&label=staging')).toMatchObject([200, { version: 3 }]);
      expect(await get('name=p&version=2')).toMatchObject([200, { version: 2, prompt: '2' }]);
    });

    test('the answer equals that of creating the version', async () => {
      const made = await create({ name: 'p', prompt: 'x {{v}}', config: { a: 1 }, labels: ['l'] });
      expect(await get('name=p')).toEqual([200, made]);
    });

    test('404: no such prompt, version or label', async () => {
      await create({ name: 'p', prompt: '1' });
      for (const query of ['name=', 'name=P', 'name=p&version=2', 'name=p&version=0', 'name=p&label=production', 'name=p&label='])
        expect(await get(query), query).toEqual(missing);
    });

    test('400: an invalid selection', async () => {
      await create({ name: 'p', prompt: '1' });
      expect(await get('name=p&version=x')).toEqual(refused('/version'));
      expect(await get('name=p&version=-1')).toEqual(refused('/version'));
      expect(await get('name=p&version=99999999999999999999')).toEqual(refused('/version'));
      expect(await get('name=p&version=1&label=a')).toEqual(refused('/label'));
      expect(await get('version=1')).toEqual(refused('/name'));
      expect(await get('label=production')).toEqual(refused('/name'));
      expect(await get('name=p%00')).toEqual(refused('/name'));
      expect(await get('name=p&label=%00')).toEqual(refused('/label'));
    });

    test('the ETag covers the bytes, and 304 answers a matching one', async () => {
      await create({ name: 'p', prompt: '1' });
      const first = await request('GET', '/v1/prompts?name=p');
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toBe(`"${createHash('sha256').update(first.text).digest('base64url')}"`);
      expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
      const asked = async (header: string, rest = '') => {
        const answer = await request('GET', `/v1/prompts?name=p${rest}`, undefined, { 'if-none-match': header });
        expect(answer.headers.get('etag')).not.toBe('');
        return [answer.status, answer.text === ''];
      };
      const same = [304, true];
      const sent = [200, false];
      for (const header of [etag, `W/${etag}`, `"a", ${etag}`, `"x,y",W/"z" , W/${etag}`, '*', ' * ']) {
        expect(await asked(header), header).toEqual(same);
        expect(await asked(header, '&version=1'), header).toEqual(same);
      }
      for (const header of ['"a"', etag.slice(1, -1), '', etag.toLowerCase().replace(/.$/, 'x"')])
        expect(await asked(header), header).toEqual(sent);
      expect((await request('GET', '/v1/prompts?name=none', undefined, { 'if-none-match': '*' })).status).toBe(404);
      await request('PATCH', '/v1/prompts/p/tags', { tags: ['t'] });
      expect(await asked(etag)).toEqual(sent);
    });

    test('a page of the list has an ETag too, which changes with any of its prompts', async () => {
      await create({ name: 'p', prompt: '1' });
      const first = await request('GET', '/v1/prompts');
      const header = { 'if-none-match': first.headers.get('etag') ?? '' };
      const again = await request('GET', '/v1/prompts', undefined, header);
      expect([again.status, again.text]).toEqual([304, '']);
      await create({ name: 'p', prompt: '2' });
      const changed = await request('GET', '/v1/prompts', undefined, header);
      expect([changed.status, JSON.parse(changed.text).prompts[0].version]).toEqual([200, 2]);
    });

    test('HEAD returns the headers of GET', async () => {
      await create({ name: 'p', prompt: '1' });
      const [head, whole] = [await request('HEAD', '/v1/prompts?name=p'), await request('GET', '/v1/prompts?name=p')];
      expect([head.status, head.headers.get('etag')]).toEqual([200, whole.headers.get('etag')]);
    });
  });

  describe('the list', () => {
    const names = async (query = '') => {
      const [status, body] = await get(query);
      expect(status, JSON.stringify(body)).toBe(200);
      return body.prompts.map(({ name }: { name: string }) => name);
    };

    test('200: the newest version of each prompt, by name in code point order', async () => {
      for (const name of ['b', '\u{1F600}', 'a/b', '\uFFFD', 'B', 'a']) await create({ name, prompt: name });
      const second = await create({ name: 'b', prompt: 'second' });
      const [, body] = await get('');
      expect(body.nextCursor).toBeNull();
      expect(body.prompts.map(({ name }: { name: string }) => name)).toEqual(['B', 'a', 'a/b', 'b', '\uFFFD', '\u{1F600}']);
      expect(body.prompts[3]).toEqual({ ...second, familyLabels: [] });
    });

    test('200: filters by folder, tag and name, together', async () => {
      await create({ name: 'root', prompt: '', tags: ['x'] });
      await create({ name: 'In A', prompt: '', folder: 'a', tags: ['x', 'y'] });
      await create({ name: 'in ÄÖ', prompt: '', folder: 'a/b' });
      await create({ name: 'in ab', prompt: '', folder: 'ab', tags: ['X'] });
      expect(await names('folder=a')).toEqual(['In A']);
      expect(await names('folder=%2Fa%2F')).toEqual(['In A']);
      expect(await names('folder=a&subfolders=true')).toEqual(['In A', 'in ÄÖ']);
      expect(await names('folder=a/b')).toEqual(['in ÄÖ']);
      expect(await names('folder=')).toEqual(['root']);
      expect(await names('folder=/')).toEqual(['root']);
      expect(await names('folder=/&subfolders=true')).toEqual(['In A', 'in ab', 'in ÄÖ', 'root']);
      expect(await names('folder=none')).toEqual([]);
      expect(await names('folder=a//b')).toEqual([]);
      expect(await names('tag=x')).toEqual(['In A', 'root']);
      expect(await names('tag=none')).toEqual([]);
      expect(await names('q=in%20a')).toEqual(['In A', 'in ab']);
      expect(await names(`q=${encodeURIComponent('äö')}`)).toEqual(['in ÄÖ']);
      expect(await names('q=%25')).toEqual([]);
      expect(await names('q=')).toHaveLength(4);
      expect(await names('folder=a&tag=y&q=A')).toEqual(['In A']);
      expect(await names('folder=a&tag=y&q=b')).toEqual([]);
    });

    test('200: pages contain each prompt once', async () => {
      const all = Array.from({ length: 7 }, (_, index) => `p${index}`);
      for (const name of all) await create({ name, prompt: '' });
      const seen: string[] = [];
      let cursor: string | null = '';
      for (let pages = 0; cursor !== null; pages++) {
        const [, body] = await get(`limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
        expect(body.prompts).toHaveLength(pages < 2 ? 3 : 1);
        seen.push(...body.prompts.map(({ name }: { name: string }) => name));
        cursor = body.nextCursor;
      }
      expect(seen).toEqual(all);
      expect(await names('limit=7')).toEqual(all);
    });

    test('200: a page of large prompts is shorter, and the next page continues', async () => {
      const prompt = 'x'.repeat(1_000_000);
      const all = Array.from({ length: 20 }, (_, index) => `p${String(index).padStart(2, '0')}`);
      for (const name of all) await create({ name, prompt });
      const [, body] = await get('');
      expect(body.prompts.length).toBeGreaterThan(10);
      expect(body.prompts.length).toBeLessThan(20);
      const rest = await names(`cursor=${body.nextCursor}`);
      expect([...body.prompts.map(({ name }: { name: string }) => name), ...rest]).toEqual(all);
    });

    test('400: invalid limits, cursors and filters', async () => {
      for (const limit of ['0', '201', 'x', '1.5']) expect(await get(`limit=${limit}`)).toEqual(refused('/limit'));
      const cursors = ['x', 'e30', Buffer.from('[1]').toString('base64url'), Buffer.from('["\\u0000"]').toString('base64url')];
      for (const cursor of cursors) expect(await get(`cursor=${cursor}`), cursor).toEqual(refused('/cursor'));
      for (const field of ['folder', 'tag', 'q']) expect(await get(`${field}=%00`)).toEqual(refused(`/${field}`));
      expect(await get('subfolders=yes')).toEqual(refused('/subfolders'));
    });
  });

  describe('the versions', () => {
    test('200: newest first, all at once or in pages', async () => {
      for (let version = 1; version <= 60; version++) await create({ name: 'p', prompt: String(version) });
      const numbers = async (query: string) => {
        const { body } = await request('GET', `/v1/prompts/p/versions${query}`);
        return [body.versions.map(({ version }: { version: number }) => version), body.nextCursor];
      };
      const all = Array.from({ length: 60 }, (_, index) => 60 - index);
      expect(await numbers('')).toEqual([all, null]);
      const [first, cursor] = await numbers('?limit=40');
      expect(first).toEqual(all.slice(0, 40));
      expect(await numbers(`?limit=40&cursor=${cursor}`)).toEqual([all.slice(40), null]);
    });

    test('400 and 404', async () => {
      await create({ name: 'p', prompt: '' });
      const versions = async (rest: string) => {
        const answer = await request('GET', `/v1/prompts/${rest}`);
        return [answer.status, answer.body];
      };
      expect(await versions('none/versions?limit=0')).toEqual(missing);
      expect(await versions('p/versions?limit=0')).toEqual(refused('/limit'));
      expect(await versions('p/versions?limit=201')).toEqual(refused('/limit'));
      const ofList = Buffer.from('["a"]').toString('base64url');
      for (const cursor of ['x', ofList]) expect(await versions(`p/versions?cursor=${cursor}`)).toEqual(refused('/cursor'));
    });
  });
});
