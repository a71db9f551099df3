import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLog } from '../log/index.ts';
import type { TrustedProxies } from '../net/index.ts';
import { stubAuthenticator } from './http-service.fixture.ts';
import { ManualClock } from '../clock/clock.ts';
import { createServer, Readiness } from './index.ts';

interface Seen {
  ip: string;
  protocol: string;
}

/** A service behind proxies that are trusted, which answers what it takes for the client. */
async function openBehind(trustProxy: TrustedProxies) {
  const app = await createServer({
    clock: new ManualClock(0),
    log: openLog('silent', { write: () => undefined }),
    authenticator: stubAuthenticator(),
    publicOrigin: () => 'https://spanwise.example.com',
    readiness: new Readiness(),
    trustProxy,
  });
  app.get('/seen', { config: { access: { who: 'public' } } }, ({ ip, protocol }) => ({ ip, protocol }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  /** @param lines of a header, each sent as one of its own */
  const seen = (lines: readonly string[], protocol?: string): Promise<Seen> =>
    new Promise((resolve, reject) => {
      const headers = {
        ...(lines.length === 0 ? {} : { 'x-forwarded-for': [...lines] }),
        ...(protocol === undefined ? {} : { 'x-forwarded-proto': protocol }),
      };
      httpRequest({ port, host: '127.0.0.1', path: '/seen', headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () => resolve(JSON.parse(text) as Seen));
      })
        .on('error', reject)
        .end();
    });
  return { seen, close: () => app.close() };
}

type Behind = Awaited<ReturnType<typeof openBehind>>;
let none: Behind;
/** By number of proxies, from 1. */
let counted: Behind[];
/** The proxies are 127.0.0.1 and those of 10.0.0.0/8. */
let named: Behind;
beforeAll(async () => {
  none = await openBehind(false);
  counted = await Promise.all([1, 2, 3].map((proxies) => openBehind(proxies)));
  named = await openBehind(['127.0.0.1', '10.0.0.0/8']);
});
afterAll(() => Promise.all([none, ...counted, named].map((one) => one.close())));

const client = '203.0.113.9';
const proxies = ['10.0.0.1', '10.0.0.2'];
/** What a client may send itself: addresses, also those of the proxies, and nonsense. */
const forged = fc.array(
  fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('10.0.0.1', '127.0.0.1', client, 'unknown', '-', '1.1.1.1:80')),
  {
    maxLength: 6,
  },
);
const joined = (entries: readonly string[], cuts: readonly boolean[]) =>
  entries.reduce<string[]>((lines, entry, index) => {
    const last = lines.at(-1);
    return last === undefined || cuts[index] ? [...lines, entry] : [...lines.slice(0, -1), `${last}, ${entry}`];
  }, []);

test('what a client adds on the left never changes its address, however the entries are divided into lines', async () => {
  await fc.assert(
    fc.asyncProperty(forged, fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }), async (left, cuts) => {
      for (const [index, behind] of counted.entries()) {
        const lines = joined([...left, client, ...proxies.slice(0, index)], cuts);
        expect((await behind.seen(lines)).ip).toBe(client);
      }
      expect((await named.seen(joined([...left, client, ...proxies], cuts))).ip).toBe(client);
      expect((await none.seen(joined([...left, client], cuts))).ip).toBe('127.0.0.1');
    }),
    { numRuns: 40 },
  );
});

test('the protocol is what the nearest proxy says, if it is trusted', async () => {
  for (const behind of [...counted, named]) {
    expect((await behind.seen([client], 'https')).protocol).toBe('https');
    expect((await behind.seen([client], 'https, http')).protocol).toBe('http');
  }
  expect((await none.seen([client], 'https')).protocol).toBe('http');
});

test('a request without the header comes from the connection', async () => {
  for (const behind of [none, ...counted, named]) expect((await behind.seen([])).ip).toBe('127.0.0.1');
});
