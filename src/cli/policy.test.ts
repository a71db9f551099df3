import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openGovernance } from '../../test/support/governance.ts';
import type { Governance } from '../../test/support/governance.ts';
import { RecordedTerminal } from './policy/recorded-terminal.fixture.ts';
import { policyCommand } from './policy.ts';

const nowMs = Date.UTC(2026, 10, 20, 10);
const unknownProject = '0197ffff-0000-7000-8000-000000000000';

let service: Governance;
let token: string;
let folder: string;
beforeAll(async () => {
  service = await openGovernance(nowMs);
  const answer = await fetch(`${service.app.url}/v1/me/tokens`, {
    method: 'POST',
    headers: { cookie: service.app.cookie, 'content-type': 'application/json' },
    body: '{"name":"ci"}',
  });
  token = ((await answer.json()) as { token: string }).token;
});
afterAll(() => service.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spanwise-policy-command-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Run {
  /** What is answered to a question; by default nobody can be asked. */
  answer?: string;
  environment?: Partial<Record<'url' | 'token' | 'project', string | null>>;
}

async function run(parameters: string[], { answer, environment = {} }: Run = {}): Promise<RecordedTerminal> {
  const terminal = new RecordedTerminal(answer === undefined ? {} : { answer });
  const command = policyCommand({
    environment: { url: service.app.url, token, project: service.app.projectId, colors: false, ...environment },
    terminal,
  }).exitOverride();
  for (const one of command.commands) one.exitOverride().configureOutput({ writeErr: (text) => terminal.warn(text) });
  await command.parseAsync(parameters, { from: 'user' });
  return terminal;
}

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

const guardrail = (name: string, spec: object = { type: 'pii' }): string =>
  JSON.stringify({ apiVersion: 'spanwise/v1', kind: 'Guardrail', metadata: { name }, spec });

describe('init and test', () => {
  test('the example passes its own tests and is valid', async () => {
    expect(await run(['init', folder])).toMatchObject({ code: 0 });
    expect(await run(['test', folder], { environment: { url: null, token: null, project: null } })).toMatchObject({
      code: 0,
      printed: ['4 passed, 0 failed'],
    });
    expect(await run(['validate', folder])).toMatchObject({ code: 0, printed: ['3 files are valid.'] });
  });

  test('init overwrites nothing', async () => {
    await put('guardrails/no-secrets.yaml', 'mine');
    expect(await run(['init', folder, '--json'])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('guardrails/no-secrets.yaml already'),
    });
    expect(await readdir(folder)).toEqual(['guardrails']);
    expect(await readFile(join(folder, 'guardrails/no-secrets.yaml'), 'utf8')).toBe('mine');
  });

  test('a failed case shows what was expected and what came', async () => {
    await put('a.yaml', guardrail('cards', { type: 'pii', action: 'redact' }));
    await put('judge.yaml', guardrail('judge', { type: 'llm_judge', config: { connection: 'x', instructions: 'y' } }));
    await put(
      'tests/a.yaml',
      'name: fine\ntext: nothing\nexpect: {action: allow, triggered: []}\n---\nname: wrong\ntext: jo@example.com\nexpect: {action: block, text: x, triggered: [other]}\n---\n',
    );
    const { code, output, errors } = await run(['test', folder]);
    expect(errors).toBe('');
    expect(code).toBe(1);
    expect(output).toBe(
      [
        'FAIL tests/a.yaml:5: wrong',
        '    action',
        '        expected "block"',
        '        actual   "redact"',
        '    text',
        '        expected "x"',
        '        actual   "[EMAIL]"',
        '    triggered',
        '        expected ["other"]',
        '        actual   ["cards"]',
        '',
        'Judges are not asked: judge.',
        '1 passed, 1 failed',
      ].join('\n'),
    );
    const { output: json } = await run(['test', folder, '--json']);
    expect(JSON.parse(json)).toMatchObject({
      passed: 1,
      failed: 1,
      skippedJudges: ['judge'],
      cases: [{ passed: true }, { line: 5 }],
    });
  });

  test('faults of policies and of cases are named with their place', async () => {
    await put('a.yaml', 'kind: Guardrail\nkind: Guardrail\n');
    await put('tests/a.yaml', 'name: a\ntext: b\nexpect:\n  action: stop\n---\nname: [\n---\ntext: 1\n');
    const { code, errors } = await run(['test', folder]);
    expect(code).toBe(1);
    expect(errors).toMatch(/^a\.yaml:2:1: /m);
    expect(errors).toMatch(/^tests\/a\.yaml:4:11: `expect\.action`/m);
    expect(errors).toMatch(/^tests\/a\.yaml:[67]:\d+: /m);
  });

  test('a folder without tests is an error', async () => {
    await put('a.yaml', guardrail('a'));
    expect(await run(['test', folder])).toMatchObject({ code: 1, errors: expect.stringContaining('has no tests') });
  });
});

describe('validate', () => {
  test('prints faults as compilers do, and exits with 1', async () => {
    await put('b.yaml', guardrail('b', { type: 'pii', stgae: 'input' }));
    await put('a.yaml', '\n  kind: [');
    const { code, printed } = await run(['validate', folder]);
    expect(code).toBe(1);
    expect(printed.every((line) => /^[ab]\.yaml:\d+:\d+: \S/.test(line))).toBe(true);
    expect(printed.at(-1)).toMatch(/^b\.yaml:1:\d+: .*`stage`/);
    const { output } = await run(['validate', folder, '--json']);
    const { valid, errors } = JSON.parse(output) as { valid: boolean; errors: Array<{ path: string }> };
    expect([valid, errors.length, errors.at(-1)?.path]).toEqual([false, printed.length, 'b.yaml']);
  });

  test('control characters of values are shown escaped', async () => {
    await put('a.yaml', guardrail('a', { type: '\u009B2J' }));
    expect((await run(['validate', folder])).output).not.toContain('\u009B');
  });
});

describe('what keeps a command from the service', () => {
  test.each<[string, NonNullable<Run['environment']>, string[], RegExp]>([
    ['no token', { token: null }, [], /set SPANWISE_TOKEN/],
    ['no project', { project: null }, [], /--project/],
    ['a wrong token', { token: 'spwu_wrong' }, [], /answered 40[13]: .*SPANWISE_TOKEN/],
    ['an unknown project', {}, ['--project', unknownProject], /answered 40[34]: /],
    ['a URL that is none', {}, ['--url', 'localhost:4318'], /--url or SPANWISE_URL/],
    ['a service that is away', {}, ['--url', 'http://127.0.0.1:9'], /cannot be reached/],
  ])('%s: a line, and exit code 1', async (_, environment, more, expected) => {
    await put('a.yaml', guardrail('a'));
    const terminal = await run(['validate', folder, ...more], { environment });
    expect(terminal).toMatchObject({ code: 1, printed: [] });
    expect(terminal.errors).toMatch(expected);
    expect(terminal.warned).toHaveLength(1);
  });

  test('an API key is forbidden', async () => {
    const terminal = await run(['validate', folder, '--json'], { environment: { token: service.app.apiKey } });
    expect(terminal).toMatchObject({ code: 1, errors: expect.stringMatching(/answered 403: .*personal access token/) });
    expect(JSON.parse(terminal.output)).toMatchObject({ status: 403, code: 'forbidden' });
  });

  test('an answer of something else than the service', async () => {
    const other = createServer((_, answer) => answer.writeHead(200).end('<html>'));
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const terminal = await run(['validate', folder, '--url', url]);
    await new Promise((resolve) => void other.close(resolve));
    expect(terminal).toMatchObject({ code: 1, errors: expect.stringContaining('something else than JSON') });
  });
});
