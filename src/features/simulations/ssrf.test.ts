import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { echoes } from '../../../test/support/simulation-target.ts';
import { openSimulationsApp } from './simulations-app.fixture.ts';
import type { SimulationsApp } from './simulations-app.fixture.ts';
import { refusedHosts, redirectsOf } from './ssrf.corpus.fixture.ts';

let own: SimulationsApp;
let datasetId: string;
beforeAll(async () => {
  // Must not matter.
  for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY'])
    process.env[name] = 'http://127.0.0.1:1';
  process.env['NO_PROXY'] = '';
  process.env['NODE_USE_ENV_PROXY'] = '1';
  // What the operator allows for model connections and webhooks does not hold for targets.
  own = await openSimulationsApp({ SPANWISE_OUTGOING_ALLOW: '127.0.0.0/8,10.0.0.0/8,::1,fd00::/8,0.0.0.0/0,::/0' });
  datasetId = (await own.dataset([{ input: 'in' }])).id;
});
afterAll(async () => {
  for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'NO_PROXY', 'NODE_USE_ENV_PROXY'])
    delete process.env[name];
  await own.close();
});
beforeEach(() => {
  own.target.answers(echoes);
  own.network.connections.length = 0;
});

/** Stores a URL past the check of the scenario, and runs it. */
async function runAnyway(url: string, more: object = {}) {
  const scenarioId = await own.scenario({ datasetId, target: more });
  const { db } = own.app.features.simulations.context;
  const row = await db.selectFrom('simulation_scenarios').select('target').where('id', '=', scenarioId).executeTakeFirstOrThrow();
  const target = JSON.stringify({ ...JSON.parse(row.target), url });
  await db.updateTable('simulation_scenarios').set({ target }).where('id', '=', scenarioId).execute();
  const run = await own.completed(scenarioId);
  const [item] = await own.items(run.id);
  return item;
}

describe('hosts that are not of the public internet', () => {
  test('are at least 150', () => expect(new Set(refusedHosts.map(({ host }) => host)).size).toBeGreaterThanOrEqual(150));

  test('are refused when a scenario is saved or changed', async () => {
    const scenarioId = await own.scenario({ datasetId });
    for (const { host, answers } of refusedHosts) {
      if (answers) own.network.names.set(host.replace(/\.$/, ''), [answers]);
      for (const scheme of ['http', 'https']) {
        const target = { type: 'http', url: `${scheme}://${host}/` };
        const refused = { status: 400, body: { code: 'invalid_request', details: [{ path: '/target/url' }] } };
        const saved = await own.simulations('POST', '/scenarios', { name: 'refused', datasetId, target });
        expect(saved, `${scheme} ${host}`).toMatchObject(refused);
        if (scheme === 'https') continue;
        // Fills the bucket of the rate limit.
        own.app.clock.advance(3_000);
        expect(await own.simulations('POST', '/try', { target, item: { input: 1 } }), host).toMatchObject(refused);
        expect(await own.simulations('PATCH', `/scenarios/${scenarioId}`, { target }), host).toMatchObject(refused);
      }
    }
    expect(own.network.connections).toEqual([]);
    expect(own.target.requests).toEqual([]);
  }, 60_000);

  test('are not connected to by a scenario that names them all the same', async () => {
    const { http } = own.app.features.simulations.context;
    for (const { host, answers } of refusedHosts) {
      if (answers) own.network.names.set(host.replace(/\.$/, ''), [answers]);
      for (const scheme of ['http', 'https']) {
        const request = {
          url: `${scheme}://${host}/`,
          method: 'POST',
          timeoutMs: 5_000,
          maxResponseBytes: 1_000,
          maxRedirects: 5,
        } as const;
        const kind = await http.request(request).then(
          () => 'answered',
          (error: { kind?: string }) => error.kind,
        );
        expect(['address', 'url'], `${scheme} ${host}: ${kind}`).toContain(kind);
      }
    }
    expect(own.network.connections).toEqual([]);
    expect((await runAnyway('http://127.0.0.1/'))?.error).toMatch(/not an address of the public internet/);
    expect((await runAnyway('http://169.254.169.254/latest/meta-data/'))?.status).toBe('error');
    expect(own.network.connections).toEqual([]);
  });
});

describe('answers of the resolver', () => {
  test('that change between look-ups do not matter: the address connected to is checked', async () => {
    own.network.names.set('rebinding.example', [['93.184.215.1'], ['127.0.0.1']]);
    const scenarioId = await own.scenario({ datasetId, target: { url: 'http://rebinding.example/' } });
    const run = await own.completed(scenarioId);
    expect((await own.items(run.id))[0]).toMatchObject({ status: 'error', error: expect.stringContaining('public internet') });
    expect(own.network.connections).toEqual([]);
    // The other way round: refused when saved, whatever comes later.
    own.network.names.set('late.example', [['10.0.0.1'], ['93.184.215.1']]);
    const late = await own.simulations('POST', '/scenarios', {
      name: 'late',
      datasetId,
      target: { type: 'http', url: 'http://late.example/' },
    });
    expect(late.status).toBe(400);
  });

  test('with one private address among several refuse the host', async () => {
    for (const [index, addresses] of [
      ['93.184.215.1', '10.0.0.1'],
      ['10.0.0.1', '93.184.215.1'],
      ['93.184.215.1', '2606:4700::1', '::1'],
    ].entries()) {
      own.network.names.set(`mixed-${index}.example`, [['93.184.215.1'], addresses]);
      const scenarioId = await own.scenario({ datasetId, target: { url: `http://mixed-${index}.example/` } });
      const run = await own.completed(scenarioId);
      expect((await own.items(run.id))[0]?.status).toBe('error');
    }
    expect(own.network.connections).toEqual([]);
  });

  test('that are public are connected to, and the address of the socket decides in the end', async () => {
    const item = await runAnyway(own.url);
    expect(item).toMatchObject({ status: 'passed', output: 'in' });
    own.network.names.set('moved.example', [['93.184.215.200']]);
    own.network.servers.set('93.184.215.200', own.target.port);
    own.network.arrivals.set('93.184.215.200', '127.0.0.1');
    const before = own.target.requests.length;
    expect(await runAnyway('http://moved.example/')).toMatchObject({
      status: 'error',
      error: expect.stringContaining('public internet'),
    });
    expect(own.target.requests.length).toBe(before);
  });

  test('that a public host has in any notation are reached', async () => {
    own.network.servers.set('93.184.215.1', own.target.port);
    for (const host of ['93.184.215.1', '0x5d.0xb8.0xd7.1', '1572394753', '0135.0270.0327.1', '９３.184.215.1', '93.184.55041'])
      expect(await runAnyway(`http://${host}/`), host).toMatchObject({ status: 'passed' });
    own.network.servers.set('2606:4700::1', own.target.port);
    expect(await runAnyway('http://[2606:4700::1]/')).toMatchObject({ status: 'passed' });
    own.network.servers.set('::ffff:5db8:d701', own.target.port);
    expect(await runAnyway('http://[::ffff:93.184.215.1]/')).toMatchObject({ status: 'passed' });
  });
});

describe('redirects', () => {
  const redirecting = (to: string, status = 302) =>
    own.target.answers((response, request) => {
      if (request.path.startsWith('/end')) echoes(response, request);
      else response.writeHead(status, { location: Buffer.from(to).toString('latin1') }).end();
    });

  test('lead nowhere but to the public internet', async () => {
    const locations = redirectsOf(refusedHosts.map(({ host }) => host));
    // In one run: an item's input is the place of its location.
    const { id, itemIds } = await own.dataset(locations.map((_location, place) => ({ input: place })));
    own.target.answers((response, { body }) => {
      // `http:127.0.0.1/` is a path of the same host, which is asked for it without a body.
      const location = Buffer.from(locations[body?.input] ?? '/again').toString('latin1');
      response.writeHead(302, { location }).end();
    });
    const run = await own.completed(await own.scenario({ datasetId: id }), { concurrency: 8 });
    const items = await own.items(run.id);
    expect(items).toHaveLength(locations.length);
    for (const { datasetItemId, status } of items) expect(status, locations[itemIds.indexOf(datasetItemId)]).toBe('error');
    expect([...new Set(own.network.connections)]).toEqual(['93.184.215.1']);
  });

  test('are followed at most five times', async () => {
    const chain = (length: number) =>
      own.target.answers((response, request) => {
        const step = Number(request.path.slice(1) || 0);
        if (step === length) echoes(response, request);
        else response.writeHead(307, { location: `/${step + 1}` }).end();
      });
    chain(5);
    expect(await runAnyway(own.url)).toMatchObject({ status: 'passed', output: 'in' });
    chain(6);
    expect(await runAnyway(own.url)).toMatchObject({ status: 'error', error: expect.stringContaining('more than 5 times') });
    expect(own.target.requests).toHaveLength(6);
  });

  test('to another origin take no header along but content-type', async () => {
    const other = own.network.publish(own.target.port, 'other.example');
    redirecting(`${other}/end`, 307);
    const headers = {
      authorization: 'Bearer one',
      'x-plain': 'a',
      accept: 'text/x-own',
      'user-agent': 'own',
      'content-type': 'application/vnd.own+json',
    };
    expect(await runAnyway(own.url, { headers })).toMatchObject({ status: 'passed' });
    const [first, second] = own.target.requests;
    expect(first?.headers).toMatchObject(headers);
    expect(second?.headers).toMatchObject({
      host: 'other.example',
      'content-type': 'application/vnd.own+json',
      'user-agent': 'spanwise',
    });
    for (const name of ['authorization', 'x-plain', 'accept']) expect(second?.headers).not.toHaveProperty(name);
  });
});
