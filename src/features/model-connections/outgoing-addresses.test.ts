import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpClient } from '../../platform/net/index.ts';
import { by, connectionsPath as path, openConnectionsService } from './connections-service.fixture.ts';
import type { ConnectionsService } from './connections-service.fixture.ts';
import { refusedConnections } from './refused-connections.ts';

const owner = by('owner');
let asked = 0;
/** A model server on a loopback address. */
const server = createServer((_request, response) => {
  asked += 1;
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ choices: [{ message: { content: 'hi' } }] }));
});
let loopback: string;
let open: ConnectionsService;
let closed: ConnectionsService;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  loopback = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  open = await openConnectionsService();
  closed = await openConnectionsService({}, []);
});
afterAll(async () => {
  server.close();
  await open.close();
  await closed.close();
});

const save = (service: ConnectionsService, baseUrl: string) =>
  service.request(owner, 'POST', path, { name: `c ${Math.random()}`, baseUrl, model: 'm' });

describe('saving a model connection', () => {
  it.each(['http://169.254.169.254/latest', 'http://[fe80::1]/v1', 'http://[::ffff:169.254.169.254]/', 'http://10.0.0.1/v1'])(
    'refuses %s with the setting that would allow it',
    async (baseUrl) => {
      const { status, body } = await save(open, baseUrl);
      expect([status, body.code, body.details[0].path]).toEqual([400, 'invalid_request', '/baseUrl']);
      expect(body.error).toContain('SPANWISE_OUTGOING_ALLOW');
    },
  );

  it('takes loopback addresses only where they are allowed', async () => {
    expect((await save(open, loopback)).status).toBe(201);
    expect((await save(open, 'http://localhost:1/v1')).status).toBe(201);
    expect((await save(closed, loopback)).status).toBe(400);
    expect((await save(closed, 'http://localhost:1/v1')).status).toBe(400);
  });

  it('takes public addresses, and names that cannot be resolved now', async () => {
    expect((await save(closed, 'https://8.8.8.8/v1')).status).toBe(201);
    expect((await save(closed, 'https://models.invalid/v1')).status).toBe(201);
  });

  it('checks a changed address, and keeps the connection', async () => {
    const { body } = await save(closed, 'https://8.8.8.8/v1');
    const change = (given: object) => closed.request(owner, 'PATCH', `${path}/${body.id}`, given);
    expect((await change({ baseUrl: loopback })).status).toBe(400);
    expect((await change({ model: 'other' })).body).toMatchObject({ baseUrl: 'https://8.8.8.8/v1', model: 'other' });
  });
});

describe('a connection that was saved before', () => {
  it('is refused when it is asked, with the setting that would allow it, and is listed for the operator', async () => {
    const { body } = await save(closed, 'https://8.8.8.8/v1');
    await closed.connections.db.updateTable('model_connections').set({ base_url: loopback }).where('id', '=', body.id).execute();
    const connection = await closed.models.findConnection(path.split('/')[3] ?? '', body.id);
    if (!connection) throw new Error('no connection');
    const before = asked;
    await expect(closed.models.askModel(connection, { messages: [{ role: 'user', content: 'x' }] })).rejects.toThrow(
      'SPANWISE_OUTGOING_ALLOW',
    );
    expect(asked).toBe(before);
    const listed = await refusedConnections(closed.connections.db, { allowed: [] });
    expect(listed).toEqual([expect.stringContaining(body.name)]);
    expect(await refusedConnections(closed.connections.db, { allowed: ['127.0.0.1'] })).toEqual([]);
  });

  it('is refused when its name resolves to another address than when it was saved', async () => {
    const answers = ['8.8.8.8', '169.254.169.254'];
    const http = new HttpClient({
      addresses: { allowed: ['0.0.0.0/0'] },
      resolve: (_host, _options, done) => done(null, [{ address: answers.shift() ?? '', family: 4 }]),
    });
    await http.checkUrl('http://rebinding.test/v1');
    const asking = http.request({
      url: 'http://rebinding.test/v1',
      method: 'POST',
      timeoutMs: 5_000,
      maxResponseBytes: 10,
      maxRedirects: 0,
    });
    await expect(asking).rejects.toMatchObject({ kind: 'address' });
    await http.close();
  });
});
