import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../contract/errors.ts';
import { noProject, openHttpService, otherProject, ownProject, stubAuthenticator } from './http-service.fixture.ts';
import type { HttpService, RequestOptions } from './http-service.fixture.ts';
import { callerOf, keyOf, organizationOf, tenantOf, userOf } from './index.ts';
import type { Access, Server } from './index.ts';

const good = { 'x-api-key': 'spw_good' };
const session = (role: string) => ({ cookie: `spanwise_session=${role}` });
const token = (role: string) => ({ authorization: `Bearer spwu_${role}` });

function routes(app: Server): void {
  const body = z.strictObject({ projectId: z.string().optional(), name: z.string() });
  const resource = (request: { params: unknown }) =>
    (request.params as { thing: string }).thing === 'there'
      ? Promise.resolve()
      : Promise.reject(new ServiceError('not_found', 'There is no such thing.'));
  const both: Access = { who: 'key-or-session', permission: 'prompts:manage' };
  const read: Access = { who: 'key-or-session', permission: 'dashboard:read' };
  const project: Access = { who: 'session', scope: 'project', permission: 'keys:manage' };
  const several: Access = { who: 'session', scope: 'project', permission: ['prompts:manage', 'incidents:manage'] };
  const organization: Access = { who: 'session', scope: 'organization', permission: 'organization:manage' };

  app.get('/v1/public', { config: { access: { who: 'public' } } }, (request) => ({ caller: request.access.caller }));
  app.post('/v1/public', { config: { access: { who: 'public' } } }, () => ({}));
  app.post('/v1/leave', { config: { access: { who: 'public', byCookie: true } } }, () => ({}));
  app.post('/v1/key', { config: { access: { who: 'key' } }, schema: { body } }, (request) => ({
    key: keyOf(request).keyId,
    tenant: tenantOf(request),
  }));
  app.get('/v1/key', { config: { access: { who: 'key' } } }, (request) => userOf(request));
  app.get('/v1/me', { config: { access: { who: 'session', scope: 'user', anonymous: 401 } } }, (request) => callerOf(request));
  app.post('/v1/me', { config: { access: { who: 'session', scope: 'user' } }, schema: { body } }, (request) => ({
    user: userOf(request).userId,
  }));
  app.post(
    '/v1/me/own',
    { config: { access: { who: 'session', scope: 'user', tokens: false } }, schema: { body } },
    (request) => ({
      user: userOf(request).userId,
    }),
  );
  app.get(
    '/v1/anywhere',
    { config: { access: { who: 'session', scope: 'any-organization', permission: 'compliance:read' } } },
    () => ({}),
  );
  app.post('/v1/projects/:id/both', { config: { access: several } }, () => ({}));
  app.get('/v1/organizations/:orgId', { config: { access: organization } }, (request) => organizationOf(request));
  app.post('/v1/projects/:id/keys', { config: { access: project }, schema: { body } }, (request) => tenantOf(request));
  app.get('/v1/projects/:id/traces', { config: { access: read } }, (request) => tenantOf(request));
  app.get('/v1/prompts', { config: { access: read } }, (request) => tenantOf(request));
  app.post('/v1/prompts', { config: { access: both }, schema: { body } }, (request) => ({
    ...tenantOf(request),
    ...request.body,
  }));
  app.patch('/v1/prompts/:thing', { config: { access: both, resource }, schema: { body } }, () => ({}));
  app.patch('/v1/projects/:id/things/:thing', { config: { access: project, resource }, schema: { body } }, () => ({}));
}

let service: HttpService;
beforeAll(async () => {
  service = await openHttpService(routes);
});
afterAll(() => service.close());

/** Status and code of a request. */
async function outcome(path: string, options: RequestOptions = {}): Promise<[number, string | undefined]> {
  const { status, body } = await service.request(path, { ...(options.body === undefined ? {} : { method: 'POST' }), ...options });
  return [status, body?.code];
}
const refused = [401, 'unauthenticated'];
const forbidden = [403, 'forbidden'];
const missing = [404, 'not_found'];
const invalid = [400, 'invalid_request'];
const fine = [200, undefined];
const malformed = '{';

describe('a key route', () => {
  it('takes a key in either header', async () => {
    for (const headers of [good, { authorization: 'Bearer spw_good' }, { authorization: 'bearer  spw_good' }]) {
      const { body } = await service.request('/v1/key', { method: 'POST', headers, body: { name: 'a' } });
      expect(body).toEqual({
        key: 'key-id',
        tenant: { organizationId: expect.any(String), projectId: ownProject, plan: 'scale' },
      });
    }
  });

  it('is 401 for other callers, before the body is validated', async () => {
    const others = [
      {},
      { 'x-api-key': 'spw_bad' },
      { 'x-api-key': '' },
      session('owner'),
      token('owner'),
      { authorization: 'Basic spw_good' },
    ];
    for (const headers of others)
      expect(await outcome('/v1/key', { headers, body: malformed }), JSON.stringify(headers)).toEqual(refused);
  });

  it('ignores a projectId', async () => {
    expect(
      await outcome(`/v1/key?projectId=${otherProject}`, { headers: good, body: { name: 'a', projectId: otherProject } }),
    ).toEqual(fine);
  });
});

describe('a session route', () => {
  it('takes a session and a personal token', async () => {
    expect((await service.request('/v1/me', { headers: session('viewer') })).body).toMatchObject({
      userId: 'viewer',
      via: 'session',
    });
    expect((await service.request('/v1/me', { headers: token('viewer') })).body).toMatchObject({
      userId: 'viewer',
      via: 'token',
    });
  });

  it('is 403 for a key or without credentials, before any other check', async () => {
    for (const headers of [
      {},
      good,
      { authorization: 'Bearer spw_good' },
      session('nobody'),
      token('nobody'),
      { 'x-api-key': 'spwu_owner' },
    ]) {
      expect(await outcome('/v1/me', { headers, body: malformed }), JSON.stringify(headers)).toEqual(forbidden);
      expect(await outcome(`/v1/projects/${noProject}/keys`, { headers, body: malformed })).toEqual(forbidden);
      expect(await outcome('/v1/organizations/none', { headers })).toEqual(forbidden);
      expect(await outcome('/v1/anywhere', { headers })).toEqual(forbidden);
    }
  });

  it('is 401 on a route with `anonymous: 401`', async () => {
    for (const headers of [{}, good, session('nobody')]) expect(await outcome('/v1/me', { headers })).toEqual(refused);
  });

  it('with `tokens: false` takes a session alone', async () => {
    const own = '/v1/me/own';
    expect(await outcome(own, { headers: session('viewer'), body: { name: 'a' } })).toEqual(fine);
    for (const headers of [token('owner'), { ...token('owner'), ...session('owner') }, good, {}, session('nobody')])
      expect(await outcome(own, { headers, body: malformed }), JSON.stringify(headers)).toEqual(forbidden);
    const { body } = await service.request(own, { method: 'POST', headers: token('owner'), body: { name: 'a' } });
    expect(body.error).toMatch(/^Sign in to the dashboard; neither a personal access token nor /);
  });

  it('uses the session when a key is sent too', async () => {
    expect(await outcome('/v1/me', { headers: { ...good, ...session('owner') } })).toEqual(fine);
  });

  it('answers alike for a missing project and an inaccessible one', async () => {
    for (const id of [otherProject, noProject, 'not-a-uuid', '%20', ownProject.slice(1)]) {
      expect(await outcome(`/v1/projects/${id}/keys`, { headers: session('owner'), body: malformed }), id).toEqual(forbidden);
    }
  });

  it('checks the permission before the body', async () => {
    const path = `/v1/projects/${ownProject}/keys`;
    expect(await outcome(path, { headers: session('member'), body: malformed })).toEqual(forbidden);
    expect(await outcome(path, { headers: session('admin'), body: malformed })).toEqual(invalid);
    expect(await outcome(path, { headers: session('admin'), body: { name: 'a' } })).toEqual(fine);
    expect(
      await outcome(path.toUpperCase().replace('/V1/PROJECTS', '/v1/projects').replace('/KEYS', '/keys'), {
        headers: session('admin'),
        body: { name: 'a' },
      }),
    ).toEqual(fine);
  });

  it('checks each of several permissions', async () => {
    const refusal = async (role: string) => {
      const headers = { cookie: `spanwise_session=${role}` };
      const { status, body } = await service.request(`/v1/projects/${ownProject}/both`, { method: 'POST', headers });
      return [status, /permission (\S+);/.exec(body.error ?? '')?.[1]];
    };
    expect(await refusal('viewer')).toEqual([403, 'prompts:manage']);
    expect(await refusal('member')).toEqual([403, 'incidents:manage']);
    expect(await refusal('admin')).toEqual([200, undefined]);
  });

  it('finds an organization by slug or id, for its members with the permission', async () => {
    const { body } = await service.request('/v1/organizations/acme', { headers: session('owner') });
    expect(body).toMatchObject({ slug: 'acme', role: 'owner' });
    expect((await service.request(`/v1/organizations/${body.id}`, { headers: token('owner') })).status).toBe(200);
    expect(await outcome('/v1/organizations/acme', { headers: session('admin') })).toEqual(forbidden);
    expect(await outcome('/v1/organizations/other', { headers: session('owner') })).toEqual(forbidden);
  });

  it('looks for a permission in any organization', async () => {
    expect(await outcome('/v1/anywhere', { headers: session('member') })).toEqual(fine);
    expect(await outcome('/v1/anywhere', { headers: session('viewer') })).toEqual(forbidden);
  });
});

describe('a route for keys and sessions', () => {
  const read = `/v1/projects/${ownProject}/traces`;

  it('says in its 401 who may call', async () => {
    const sentences = ['/v1/key', '/v1/me', read].map(async (path) => (await service.request(path)).body.error as string);
    const [ofKeys, ofSessions, ofBoth] = await Promise.all(sentences);
    expect(ofKeys).toMatch(/^Send a valid project API key in the x-api-key header; /);
    expect(ofSessions).toMatch(/^Sign in to the dashboard, or send a valid personal access token\.$/);
    expect(ofBoth).toMatch(/^Send a valid project API key in the x-api-key header, or sign in; /);
  });

  it('is 401 for neither', async () => {
    for (const headers of [{}, { 'x-api-key': 'spw_bad' }, session('nobody'), token('nobody')]) {
      expect(await outcome(read, { headers })).toEqual(refused);
      expect(await outcome('/v1/prompts', { headers })).toEqual(refused);
      expect(await outcome('/v1/prompts', { headers, body: malformed })).toEqual(refused);
    }
  });

  it('is 404 for a key of another project, 403 for a session', async () => {
    expect(await outcome(read, { headers: good })).toEqual(fine);
    expect(await outcome(read, { headers: session('viewer') })).toEqual(fine);
    for (const id of [otherProject, noProject, 'not-a-uuid']) {
      expect(await outcome(`/v1/projects/${id}/traces`, { headers: good }), id).toEqual(missing);
      expect(await outcome(`/v1/projects/${id}/traces`, { headers: session('owner') }), id).toEqual(forbidden);
    }
  });

  it('uses the key when both are sent', async () => {
    const { body } = await service.request('/v1/prompts', { headers: { ...good, ...session('nobody') } });
    expect(body.projectId).toBe(ownProject);
    expect(await outcome(`/v1/projects/${otherProject}/traces`, { headers: { ...good, ...session('owner') } })).toEqual(missing);
  });

  it('reads the project of a session from the query, or from the body of a write', async () => {
    const headers = session('member');
    expect(await outcome(`/v1/prompts?projectId=${ownProject}`, { headers })).toEqual(fine);
    expect(await outcome(`/v1/prompts?projectId=${ownProject}`, { headers, body: { name: 'a' } })).toEqual(fine);
    expect(await outcome('/v1/prompts', { headers, body: { name: 'a', projectId: ownProject } })).toEqual(fine);
    expect(await outcome('/v1/prompts', { headers, body: { name: 'a', projectId: ownProject.toUpperCase() } })).toEqual(fine);
  });

  it('is 400 for a session without a project', async () => {
    const headers = session('member');
    expect(await outcome('/v1/prompts', { headers })).toEqual(invalid);
    expect(await outcome('/v1/prompts?projectId=x', { headers })).toEqual(invalid);
    expect(await outcome(`/v1/prompts?projectId=${ownProject}&projectId=${ownProject}`, { headers })).toEqual(invalid);
    for (const body of [{ name: 'a' }, { name: 'a', projectId: 'x' }, { name: 'a', projectId: 7 }, [], 'null', '']) {
      expect(await outcome('/v1/prompts', { headers, body }), JSON.stringify(body)).toEqual(invalid);
    }
  });

  it('is 403 for a session without the project or the permission, before schema validation', async () => {
    expect(await outcome('/v1/prompts', { headers: session('member'), body: { projectId: otherProject } })).toEqual(forbidden);
    expect(await outcome('/v1/prompts', { headers: session('viewer'), body: { projectId: ownProject } })).toEqual(forbidden);
    expect(await outcome('/v1/prompts', { headers: session('member'), body: { projectId: ownProject } })).toEqual(invalid);
    expect(await outcome(`/v1/prompts?projectId=${otherProject}`, { headers: session('member'), body: malformed })).toEqual(
      forbidden,
    );
  });
});

describe('a resource in the path', () => {
  const change = (path: string, headers: Record<string, string>, body: unknown) =>
    outcome(path, { method: 'PATCH', headers, body });

  it('is checked after 401 and 403, and before 400', async () => {
    expect(await change('/v1/prompts/none', {}, malformed)).toEqual(refused);
    expect(await change('/v1/prompts/none', good, malformed)).toEqual(missing);
    expect(await change('/v1/prompts/there', good, malformed)).toEqual(invalid);
    expect(await change('/v1/prompts/none', session('viewer'), { projectId: ownProject })).toEqual(forbidden);
    expect(await change('/v1/prompts/none', session('member'), { projectId: ownProject, wrong: 1 })).toEqual(missing);
    expect(await change('/v1/prompts/there', session('member'), { projectId: ownProject, wrong: 1 })).toEqual(invalid);
    expect(await change(`/v1/projects/${ownProject}/things/none`, session('member'), malformed)).toEqual(forbidden);
    expect(await change(`/v1/projects/${ownProject}/things/none`, session('admin'), malformed)).toEqual(missing);
    expect(await change(`/v1/projects/${ownProject}/things/there`, session('admin'), { name: 'a' })).toEqual(fine);
  });
});

describe('a request of another origin', () => {
  const own = { ...session('owner'), origin: 'https://spanwise.example.com' };

  it('may not write with a cookie', async () => {
    const others = [
      'https://evil.example',
      'http://spanwise.example.com',
      'https://spanwise.example.com:8443',
      'https://spanwise.example.com.evil.example',
      'null',
    ];
    for (const origin of others) {
      const headers = { ...session('owner'), origin };
      expect(await outcome('/v1/me', { headers, body: { name: 'a' } }), origin).toEqual(forbidden);
      expect(await outcome('/v1/prompts', { headers, body: { name: 'a', projectId: ownProject } }), origin).toEqual(forbidden);
      expect(await outcome('/v1/leave', { method: 'POST', headers }), origin).toEqual(forbidden);
    }
    expect(await outcome('/v1/me', { headers: own, body: { name: 'a' } })).toEqual(fine);
    expect(await outcome('/v1/leave', { method: 'POST', headers: own })).toEqual(fine);
  });

  it('may read with one, and write with a token or a key', async () => {
    const origin = 'https://elsewhere.example';
    expect(await outcome('/v1/me', { headers: { ...own, origin } })).toEqual(fine);
    expect(await outcome('/v1/me', { headers: { ...token('owner'), origin }, body: { name: 'a' } })).toEqual(fine);
    expect(await outcome('/v1/prompts', { headers: { ...good, origin }, body: { name: 'a' } })).toEqual(fine);
    expect(await outcome('/v1/leave', { method: 'POST', headers: { origin } })).toEqual(fine);
    // A public route ignores the cookie unless it has `byCookie`.
    expect(await outcome('/v1/public', { method: 'POST', headers: { ...own, origin } })).toEqual(fine);
  });

  it('does not include other names of the loopback address', async () => {
    const local = await openHttpService(routes, { publicOrigin: 'http://127.0.0.1:4318' });
    const status = async (origin: string) =>
      (await local.request('/v1/me', { method: 'POST', headers: { ...session('owner'), origin }, body: { name: 'a' } })).status;
    for (const origin of ['http://127.0.0.1:4318', 'http://localhost:4318', 'http://[::1]:4318'])
      expect(await status(origin), origin).toBe(200);
    for (const origin of [
      'http://localhost:4319',
      'https://localhost:4318',
      'http://localhost.evil.example:4318',
      'http://127.0.0.1.nip.io:4318',
    ]) {
      expect(await status(origin), origin).toBe(403);
    }
    await local.close();
  });
});

it('accessors throw on a route of another kind', async () => {
  expect(await outcome('/v1/key', { headers: good })).toEqual([500, 'internal']);
  expect((await service.request('/v1/public', { headers: good })).body).toEqual({ caller: null });
});

it('describes the access of each route', async () => {
  const { paths, security } = (await service.request('/v1/openapi.json')).body;
  // What the document states is of the operations that state nothing.
  const securityOf = (path: string) => paths[path].post.security ?? security;
  expect(securityOf('/v1/key')).toEqual([{ apiKey: [] }, { apiKeyAsToken: [] }]);
  expect(securityOf('/v1/me')).toEqual([{ session: [] }, { token: [] }]);
  expect(securityOf('/v1/me/own')).toEqual([{ session: [] }]);
  expect(securityOf('/v1/prompts')).toHaveLength(4);
});

describe('wrong credentials', () => {
  let limited: HttpService;
  const counted: boolean[] = [];
  beforeAll(async () => {
    const failed = ({ secrets }: { secrets: readonly string[] }) => Promise.resolve(void counted.push(secrets.length > 0));
    limited = await openHttpService(routes, { authenticator: { ...stubAuthenticator(), failed } });
  });
  afterAll(() => limited.close());

  const [secret, cookie] = [[true], [false]];
  const wrongKey = { 'x-api-key': 'spw_wrong' };
  const bearer = { authorization: 'Bearer spw_wrong' };
  it.each<[string, string, Record<string, string>, boolean[]]>([
    ['a key route', '/v1/key', wrongKey, secret],
    ['a key route', '/v1/key', bearer, secret],
    ['a key route', '/v1/key', {}, []],
    ['a key route', '/v1/key', { 'x-api-key': '' }, []],
    ['a key route', '/v1/key', { authorization: 'Basic YTpi' }, []],
    ['a key route, which looks at no session', '/v1/key', session('nobody'), []],
    ['a key route, which looks at no token', '/v1/key', token('nobody'), []],
    ['a session route', '/v1/me', session('nobody'), cookie],
    ['a session route', '/v1/me', session(''), []],
    ['a session route', '/v1/me', token('nobody'), secret],
    ['a session route', '/v1/anywhere', token('nobody'), secret],
    ['a session route, which looks at no key', '/v1/me', wrongKey, []],
    ['a session route, where the role does not suffice', '/v1/anywhere', session('viewer'), []],
    ['a route for both', `/v1/projects/${ownProject}/traces`, wrongKey, secret],
    ['a route for both', `/v1/projects/${ownProject}/traces`, token('nobody'), secret],
    ['a route for both', `/v1/projects/${ownProject}/traces`, session('nobody'), cookie],
    ['a route for both, with a valid session', `/v1/projects/${ownProject}/traces`, { ...wrongKey, ...session('viewer') }, []],
    ['a public route', '/v1/public', wrongKey, []],
  ])('are reported on %s: %s, %j', async (_what, path, headers, expected) => {
    counted.length = 0;
    await limited.request(path, { headers });
    expect(counted).toEqual(expected);
  });
});
