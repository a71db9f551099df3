import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { ServiceError } from '../../contract/errors.ts';
import { openHttpService, ownProject } from './http-service.fixture.ts';
import type { HttpService } from './http-service.fixture.ts';

const key = { 'x-api-key': 'spw_good' };
const token = { authorization: 'Bearer spwu_member' };

let service: HttpService;
beforeAll(async () => {
  const either = { access: { who: 'key-or-session' as const } };
  const querystring = z.object({
    label: z.string().optional(),
    cursor: z.string().optional(),
    limit: z.coerce.number().max(200).optional(),
  });
  service = await openHttpService((app) => {
    app.get('/v1/projects/:id/things', { config: either, schema: { querystring } }, () => ({}));
    app.get(
      '/v1/things',
      { config: either, schema: { querystring: querystring.refine(() => true).transform((query) => query) } },
      () => ({}),
    );
    app.post(
      '/v1/things',
      { config: either, schema: { body: z.strictObject({ projectId: z.string().optional() }) } },
      () => ({}),
    );
    const missing = () => Promise.reject(new ServiceError('not_found', 'There is no such thing; list them.'));
    app.get('/v1/missing', { config: { access: { who: 'public' }, resourceIfInvalid: missing } }, () => ({}));
    app.get('/v1/things/:thingId', { config: { access: { who: 'public' } } }, (request) =>
      (request.params as { thingId: string }).thingId === '1' ? {} : missing(),
    );
    app.get('/page', { config: { access: { who: 'public' }, anyQuery: true } }, () => ({}));
  });
});
afterAll(() => service.close());

const get = (path: string, headers: Record<string, string> = key) => service.request(path, { headers });

test('an unknown parameter is refused with the nearest name', async () => {
  const { status, body } = await get(`/v1/projects/${ownProject}/things?lable=a&limit=5`);
  expect([status, body]).toEqual([
    400,
    {
      error: 'Correct the query: ?lable is not a parameter of this path. Did you mean label?',
      code: 'invalid_request',
      details: [{ path: '?lable', message: 'is not a parameter of this path. Did you mean label?' }],
    },
  ]);
  const messages = async (query: string) =>
    ((await get(`/v1/things?${query}`)).body.details as Array<{ message: string }>).map(({ message }) => message);
  const far = 'is not a parameter of this path; leave it out';
  expect(await messages('LIMIT=1&nonsense=1&=&__proto__=1')).toEqual([
    'is not a parameter of this path. Did you mean limit?',
    far,
    far,
    far,
  ]);
});

test('every route refuses them, HEAD and public ones too, but for pages', async () => {
  for (const path of ['/healthz', '/readyz', '/v1/openapi.json']) expect((await get(`${path}?a=1`, {})).status).toBe(400);
  expect((await service.request(`/v1/things?a=1`, { method: 'HEAD', headers: key })).status).toBe(400);
  expect((await get('/page?utm_source=mail', {})).status).toBe(200);
});

test('after the caller and the project, and after what the path names', async () => {
  const path = `/v1/projects/${ownProject}/things?a=1`;
  expect((await get(path, {})).status).toBe(401);
  expect((await get(path.replace(ownProject, '0197a000-0000-7000-8000-000000000002'), token)).status).toBe(403);
  expect((await get('/v1/missing?a=1', {})).status).toBe(404);
  expect([(await get('/v1/things/1?a=1', {})).status, (await get('/v1/things/2?a=1', {})).status]).toEqual([400, 404]);
  expect((await get('/v1/nothing?a=1', {})).status).toBe(404);
});

test('projectId is taken from a key everywhere, and from a session where it names the project', async () => {
  const inPath = `/v1/projects/${ownProject}/things?projectId=${ownProject}`;
  expect([(await get(inPath)).status, (await get(inPath, token)).status]).toEqual([200, 400]);
  for (const headers of [key, token]) {
    expect((await get(`/v1/things?projectId=${ownProject}`, headers)).status).toBe(200);
    const sent = await service.request(`/v1/things?projectId=${ownProject}`, { method: 'POST', headers, body: {} });
    expect(sent.status).toBe(200);
  }
});

test('a query of 60 KB costs no more than it is long', async () => {
  const many = await get(`/v1/things?${'a&'.repeat(29_000)}`);
  expect([many.status, many.body.details.length]).toEqual([400, 1]);
  const names = Array.from({ length: 10_000 }, (_, index) => index.toString(36)).join('&');
  expect((await get(`/v1/things?${names}`)).body.details).toHaveLength(20);
  const long = await get(`/v1/things?${'label'.repeat(12_000)}`);
  expect(long.body.details[0].path).toHaveLength(65);
});
