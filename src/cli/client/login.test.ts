import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPromptsService } from '../../features/prompts/prompts-service.fixture.ts';
import type { PromptsService } from '../../features/prompts/prompts-service.fixture.ts';
import { embeddedBackend } from '../../platform/postgres/postgres-backends.fixture.ts';
import { runClient } from './command-io.fixture.ts';
import { RecordedTerminal } from './terminal/recorded-terminal.fixture.ts';

/** Where the service is, and what identifies its first project. */
let app: { url: string; apiKey: string; projectId: string };
let service: PromptsService;
let token: string;
let folder: string;
let loginFile: string;
beforeAll(async () => {
  service = await openPromptsService(embeddedBackend);
  const { port } = service.app.server.address() as AddressInfo;
  app = { url: `http://127.0.0.1:${port}`, apiKey: service.key['x-api-key'] ?? '', projectId: service.projectId };
  token = (await service.request(await service.person('admin'), 'POST', '/v1/me/tokens', { name: 'laptop' })).body.token;
});
afterAll(() => service.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spanwise-login-'));
  loginFile = join(folder, 'deep/spanwise/config.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const run = (
  parameters: string[],
  { terminal = new RecordedTerminal(), environment = {} }: Parameters<typeof runClient>[1] = {},
) => runClient(parameters, { terminal, environment: { loginFile, ...environment } });
const kept = async (): Promise<unknown> => JSON.parse(await readFile(loginFile, 'utf8'));

describe('login', () => {
  test('asks in a terminal, verifies and keeps a file that its owner alone can read', async () => {
    const terminal = new RecordedTerminal({ typed: { URL: app.url, token } });
    expect(await run(['login'], { terminal })).toMatchObject({
      code: 0,
      asked: [/URL/, /token/].map((part) => expect.stringMatching(part)),
    });
    expect(terminal.output).toContain('person1@example.com');
    expect(terminal.output).not.toContain(token);
    expect(await kept()).toEqual({ url: app.url, token, project: app.projectId });
    expect((await stat(loginFile)).mode & 0o777).toBe(0o600);
    expect(await run(['prompt', 'pull', join(folder, 'prompts')])).toMatchObject({ code: 0, errors: '' });
  });

  test.each<[string, string[], string, () => object]>([
    ['options', ['--url', 'APP', '--token', 'TOKEN'], '', () => ({ url: app.url, token, project: app.projectId })],
    ['standard input', ['--url', 'APP'], 'TOKEN\n', () => ({ url: app.url, token, project: app.projectId })],
    ['two lines of standard input', [], 'APP\nTOKEN\n', () => ({ url: app.url, token, project: app.projectId })],
    ['an API key', ['--url', 'APP', '--key', 'KEY'], '', () => ({ url: app.url, key: app.apiKey })],
  ])('takes %s', async (_what, parameters, input, expected) => {
    const given = (text: string) => text.replace('APP', app.url).replace('TOKEN', token).replace('KEY', app.apiKey);
    // The mode of a file that is there is corrected.
    await mkdir(dirname(loginFile), { recursive: true });
    await writeFile(loginFile, '{}', { mode: 0o644 });
    const terminal = await run(['login', '--json', ...parameters.map(given)], {
      terminal: new RecordedTerminal({ input: given(input) }),
    });
    expect(terminal.code, terminal.errors).toBe(0);
    expect(JSON.parse(terminal.output)).toMatchObject({ url: app.url, file: loginFile });
    expect(await kept()).toEqual(expected());
    expect((await stat(loginFile)).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['a wrong token', ['--token', 'spwu_wrong'], 1, 'answered 401'],
    ['a wrong key', ['--key', 'spw_wrong'], 1, 'answered 401'],
    ['no token', [], 2, 'give the token'],
    ['an unknown project', ['--token', 'TOKEN', '--project', 'none'], 2, 'there is no project none'],
    ['a service that is away', ['--token', 'TOKEN', '--url', 'http://127.0.0.1:1'], 2, 'cannot be reached'],
  ])('%s: nothing is kept', async (_what, parameters, code, told) => {
    const terminal = await run(['login', '--url', app.url, ...parameters.map((text) => text.replace('TOKEN', token))]);
    expect(terminal).toMatchObject({ code, errors: expect.stringContaining(told) });
    await expect(kept()).rejects.toThrow('ENOENT');
  });

  test('cancelled, nothing is kept', async () => {
    const terminal = new RecordedTerminal({ typed: { URL: app.url, token: null } });
    expect(await run(['login'], { terminal })).toMatchObject({ code: 2, errors: expect.stringContaining('nothing was kept') });
  });

  test('logout removes it', async () => {
    await run(['login', '--url', app.url, '--token', token]);
    expect(await run(['logout'])).toMatchObject({ code: 0, printed: [`Removed ${loginFile}.`] });
    await expect(kept()).rejects.toThrow('ENOENT');
    expect(JSON.parse((await run(['logout', '--json'])).output)).toEqual({ removed: false, file: loginFile });
  });
});

describe('which service and credential', () => {
  const login = (content: object) =>
    mkdir(dirname(loginFile), { recursive: true }).then(() => writeFile(loginFile, JSON.stringify(content)));
  const whoami = async (parameters: string[], environment: object = {}) => {
    const terminal = await run(['whoami', '--json', ...parameters], { environment });
    return { code: terminal.code, errors: terminal.errors, ...JSON.parse(terminal.output) };
  };

  test('a key shows its project, and a token its user', async () => {
    expect(await whoami(['--url', app.url, '--key', app.apiKey])).toMatchObject({
      code: 0,
      url: app.url,
      projectId: app.projectId,
    });
    expect(await whoami(['--url', app.url, '--token', token])).toMatchObject({
      user: { email: 'person1@example.com' },
      organizations: [{ projects: [{ id: app.projectId }] }],
    });
    expect((await run(['whoami', '--url', app.url, '--key', app.apiKey])).printed[0]).toMatch(/^API key .* \(spw_.*…\) of http/);
    expect((await run(['whoami', '--url', app.url, '--token', token])).output).toContain(`  ${app.projectId}`);
    const scopes = ['ingest', 'scores:write'];
    const { body } = await service.request(await service.person('admin'), 'POST', `/v1/projects/${app.projectId}/api-keys`, {
      name: 'CI',
      scopes,
    });
    expect((await run(['whoami', '--url', app.url, '--key', body.key])).printed.at(-1)).toBe('scopes ingest, scores:write');
  });

  test('options come before variables, and variables before the login', async () => {
    await login({ url: app.url, token });
    expect(await whoami([])).toMatchObject({ credential: 'token' });
    expect(await whoami([], { apiKey: app.apiKey })).toMatchObject({ credential: 'key' });
    expect(await whoami(['--token', token], { apiKey: app.apiKey })).toMatchObject({ credential: 'token' });
    expect(await whoami(['--url', 'http://127.0.0.1:1'], { url: app.url })).toMatchObject({ code: 2 });
    expect(await whoami([], { url: 'http://127.0.0.1:1', token })).toMatchObject({ code: 2 });
  });

  test('without any of them this machine is asked', async () => {
    expect(await whoami(['--token', token], { urlOfThisMachine: app.url })).toMatchObject({ code: 0, url: app.url });
  });

  test('the token of a login goes to no other service', async () => {
    await login({ url: app.url, token });
    const other = await whoami(['--url', 'http://127.0.0.1:1']);
    expect(other).toMatchObject({ code: 2, errors: expect.stringContaining(`the login is for ${app.url}`) });
  });

  test('without a credential, and with a file that holds no login', async () => {
    expect(await whoami(['--url', app.url])).toMatchObject({ code: 2, errors: expect.stringContaining('run spanwise login') });
    await login({ url: 1 });
    expect(await whoami([])).toMatchObject({ code: 2, errors: expect.stringContaining('holds no login') });
  });
});
