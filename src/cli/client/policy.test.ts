import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openGovernance } from '../../../test/support/governance.ts';
import type { Governance } from '../../../test/support/governance.ts';
import { runClient } from './command-io.fixture.ts';
import { RecordedTerminal } from './terminal/recorded-terminal.fixture.ts';

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
  environment?: Partial<Record<'url' | 'token' | 'apiKey' | 'project' | 'startedIn', string | null>>;
}

function run(parameters: string[], { answer, environment = {} }: Run = {}): Promise<RecordedTerminal> {
  return runClient(['policy', ...parameters], {
    terminal: new RecordedTerminal(answer === undefined ? {} : { answer }),
    environment: { url: service.app.url, token, project: service.app.projectId, ...environment },
  });
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

  test('the example of the documents passes', async () => {
    const example = join(import.meta.dirname, '../../../docs/examples/policies');
    expect(await run(['test', example])).toMatchObject({ code: 0, errors: '' });
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

  test('unknown, missing and wrong fields of a case have a fault each', async () => {
    await put('a.yaml', guardrail('a'));
    await put(
      'tests/a.yaml',
      'name: 12\nextra: 1\ntext: a\n---\nname: b\ntext: c\nexpect:\n  action: allow\n  txt: d\n---\n- 1\n',
    );
    const { errors } = await run(['test', folder]);
    expect(errors.split('\n').filter((line) => line.startsWith('tests/'))).toEqual([
      'tests/a.yaml:1:1: `expect` is required.',
      'tests/a.yaml:1:7: `name` must be a string.',
      'tests/a.yaml:2:1: `extra` is not a known field; leave it out.',
      'tests/a.yaml:9:3: `expect.txt` is not a known field; leave it out.',
      'tests/a.yaml:11:1: A test case is a mapping of name, text and expect.',
    ]);
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
    expect(
      printed.every((line) => line.startsWith(`${folder}/`) && /^[ab]\.yaml:\d+:\d+: \S/.test(line.slice(folder.length + 1))),
    ).toBe(true);
    expect(printed.at(-1)?.slice(folder.length + 1)).toMatch(/^b\.yaml:1:\d+: .*`stage`/);
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
  test.each<[string, NonNullable<Run['environment']>, string[], RegExp, number]>([
    ['no token', { token: null }, [], /set SPANWISE_TOKEN/, 2],
    ['no project', { project: null }, [], /--project/, 2],
    ['a wrong token', { token: 'spwu_wrong' }, [], /answered 40[13]: .*SPANWISE_TOKEN/, 1],
    ['an unknown project', {}, ['--project', unknownProject], /answered 40[34]: /, 1],
    ['a URL that is none', {}, ['--url', 'localhost:4318'], /--url or SPANWISE_URL/, 2],
    ['a service that is away', {}, ['--url', 'http://127.0.0.1:9'], /cannot be reached/, 2],
  ])('%s: a line, and an exit code', async (_, environment, more, expected, code) => {
    await put('a.yaml', guardrail('a'));
    const terminal = await run(['validate', folder, ...more], { environment });
    expect(terminal).toMatchObject({ code, printed: [] });
    expect(terminal.errors).toMatch(expected);
    expect(terminal.warned).toHaveLength(1);
    // 2 means changes there.
    expect((await run(['plan', folder, '--detailed-exitcode', ...more], { environment })).code).toBe(1);
  });

  test('a project is named by its slug too; help names no API key', async () => {
    await put('a.yaml', guardrail('a'));
    const { organizations } = await service.app
      .get('/v1/auth/session')
      .then(({ body }) => body as { organizations: Array<{ projects: Array<{ id: string; slug: string }> }> });
    const slug = organizations.flatMap(({ projects }) => projects).find(({ id }) => id === service.app.projectId)?.slug ?? '';
    expect(await run(['validate', folder, '--project', slug])).toMatchObject({ code: 0, printed: ['1 file is valid.'] });
    expect((await run(['validate', folder, '--project', 'no-such'])).code).not.toBe(0);
    const help = await run(['validate', '--help']);
    expect(help.output + help.errors).not.toContain('--key');
  });

  test('init writes where npm was started', async () => {
    const environment = { startedIn: folder, project: null };
    expect(await run(['init', 'policies'], { environment })).toMatchObject({ code: 0 });
    expect(await run(['test', join(folder, 'policies')])).toMatchObject({ code: 0 });
  });

  test('an API key is forbidden, and not taken from a variable', async () => {
    const given = await run(['validate', folder, '--key', service.app.apiKey], { environment: { token: null } });
    expect(given).toMatchObject({ code: 1, errors: expect.stringContaining('answered 403') });
    const none = await run(['validate', folder], { environment: { token: null, apiKey: service.app.apiKey } });
    expect(none).toMatchObject({ code: 2, errors: expect.stringContaining('set SPANWISE_TOKEN') });
    const terminal = await run(['validate', folder, '--json'], { environment: { token: service.app.apiKey } });
    expect(terminal).toMatchObject({ code: 1, errors: expect.stringMatching(/answered 403: .*personal access token/) });
    expect(JSON.parse(terminal.output)).toMatchObject({ status: 403, code: 'forbidden' });
  });

  test('an answer of something else than the service', async () => {
    const terminal = await withAnswer('<html>', (url) => run(['validate', folder, '--url', url]));
    expect(terminal).toMatchObject({ code: 2 });
    expect(terminal.errors).toContain('something else than JSON');
  });

  test.each([
    [['plan', '--replay', '169'], 2, /give a whole number from 1 to 168/],
    [['plan', '--replay', '169', '--detailed-exitcode'], 1, /give a whole number from 1 to 168/],
    [['pull', '--revision', 'x'], 2, /give a whole number/],
    [['apply', '--plan', '/nowhere/plan.json'], 1, /cannot be read/],
  ])('%j is refused with %i', async (parameters, code, expected) => {
    expect(await run(parameters)).toMatchObject({ code, errors: expect.stringMatching(expected) });
  });
});

describe('plan and apply', () => {
  const production = 'apiVersion: spanwise/v1\nkind: Environment\nmetadata: {name: production}\n';

  test('a plan as a diff; with --detailed-exitcode 2 while there are changes, and 0 after them', async () => {
    await put('environments.yaml', production);
    await put('cards.yaml', guardrail('cards', { type: 'pii', environments: ['production'] }));
    expect(await run(['plan', folder])).toMatchObject({
      code: 0,
      printed: [
        '+ Environment production  (environments.yaml)',
        '+ Guardrail cards  (cards.yaml)',
        '',
        'Plan: 2 to create, 0 to update, 0 to remove, 0 unchanged.',
      ],
    });
    expect(await run(['plan', folder, '--detailed-exitcode'])).toMatchObject({ code: 2 });
    const json = await run(['plan', folder, '--json']);
    expect(JSON.parse(json.output)).toMatchObject({ summary: { create: 2, update: 0, remove: 0, none: 0 } });
    const applied = await run(['apply', folder, '--auto-approve', '--json']);
    expect(applied.code).toBe(0);
    expect(JSON.parse(applied.output)).toMatchObject({ applied: [{ action: 'create' }, { name: 'cards' }] });
    expect(await run(['plan', folder, '--detailed-exitcode'])).toMatchObject({
      code: 0,
      printed: ['Nothing to change: 2 unchanged.'],
    });
    expect(await run(['apply', folder])).toMatchObject({ code: 0, asked: [] });
  });

  test('faults of the files: each with its place, and exit code 1', async () => {
    await put('a.yaml', guardrail('a', { type: 'nothing' }));
    const terminal = await run(['plan', folder, '--detailed-exitcode', '--json']);
    expect(terminal.code).toBe(1);
    expect(terminal.errors).toMatch(/\/a\.yaml:1:\d+: /m);
    expect(JSON.parse(terminal.output)).toMatchObject({ code: 'invalid_policy', errors: [{ path: 'a.yaml' }] });
  });

  test('without a terminal nothing is applied; asked, only yes applies', async () => {
    await put('a.yaml', guardrail('asked'));
    const before = await service.revision();
    const without = await run(['apply', folder, '--allow-removal']);
    expect(without).toMatchObject({ code: 1 });
    expect(without.errors).toContain('--auto-approve');
    const declined = await run(['apply', folder, '--allow-removal'], { answer: 'y' });
    expect(declined).toMatchObject({ code: 1, asked: [expect.stringContaining(service.app.projectId)] });
    expect(declined.errors).toContain('nothing has changed');
    expect(await service.revision()).toBe(before);
    expect(await run(['apply', folder, '--allow-removal'], { answer: 'yes' })).toMatchObject({ code: 0 });
    expect(await service.revision()).toBe(before + 1);
  });

  test('removals are named, and need --allow-removal', async () => {
    await put('a.yaml', guardrail('leaving'));
    expect(await run(['apply', folder, '--auto-approve', '--allow-removal'])).toMatchObject({ code: 0 });
    await put('a.yaml', guardrail('staying'));
    const refused = await run(['apply', folder, '--auto-approve', '--json']);
    expect(refused.code).toBe(1);
    expect(refused.errors).toContain('Guardrail leaving; add --allow-removal');
    expect(JSON.parse(refused.output)).toMatchObject({ code: 'removal_not_allowed' });
    const asked = await run(['apply', folder, '--allow-removal'], { answer: 'no' });
    expect(asked.asked[0]).toContain('This removes Guardrail leaving.');
    expect(asked.printed[1]).toBe('- Guardrail leaving');
  });

  test('a written plan is applied once, with its own files or with the same ones', async () => {
    await put('a.yaml', guardrail('saved'));
    const plan = join(folder, 'plan.json');
    expect((await run(['plan', folder, '--out', plan])).printed.at(-1)).toContain(`spanwise policy apply --plan ${plan}`);
    await put('a.yaml', guardrail('other'));
    const flags = ['--plan', plan, '--auto-approve', '--allow-removal'];
    const other = await run(['apply', folder, ...flags]);
    expect(other).toMatchObject({ code: 1 });
    expect(other.errors).toMatch(/answered 409: /);
    const elsewhere = await run(['apply', ...flags], { environment: { project: unknownProject } });
    expect(elsewhere.errors).toContain(`a plan of project ${service.app.projectId}`);
    expect(await run(['apply', ...flags], { environment: { project: null } })).toMatchObject({ code: 0 });
    const again = await run(['apply', ...flags, '--json']);
    expect(JSON.parse(again.output)).toMatchObject({ status: 409, code: 'stale_plan' });
    await put('plan.json', '{}');
    expect((await run(['apply', ...flags])).errors).toContain('is no plan');
  });

  test('the replay of recorded calls', async () => {
    const span = { type: 'span', kind: 'llm', name: 'chat', model: 'm/1', startTime: new Date(nowMs - 3_600_000).toISOString() };
    await service.app.send([
      { ...span, traceId: 'r1', spanId: 's1', userId: 'u1', input: 'the codeword is xyzzy' },
      { ...span, traceId: 'r2', spanId: 's2', userId: 'u2', input: 'nothing' },
    ]);
    await put('a.yaml', guardrail('codeword', { type: 'blocklist', config: { terms: ['xyzzy'] } }));
    const { code, printed } = await run(['plan', folder, '--replay', '168']);
    expect(code).toBe(0);
    expect(printed.find((line) => line.startsWith('codeword'))).toMatch(
      /^codeword would block 1 call(?: of 1 user)? that passed last week\.$/,
    );
    expect(printed).toContain('    input of span s1 in trace r1: xyzzy');
  });
});

describe('pull', () => {
  async function applied(content: string): Promise<void> {
    await put('a.yaml', content);
    expect(await run(['apply', folder, '--auto-approve', '--allow-removal'])).toMatchObject({ code: 0 });
  }

  test('writes the applied files as they were, and keeps tests', async () => {
    const content = `# why\n${guardrail('pulled')}\n`;
    await put('tests/a.yaml', '# mine');
    await applied(content);
    const empty = join(folder, 'new/place');
    const pulled = await run(['pull', empty, '--json']);
    expect(JSON.parse(pulled.output)).toMatchObject({ created: ['a.yaml'], overwritten: [], deleted: [], unchanged: 0 });
    expect(await readFile(join(empty, 'a.yaml'), 'utf8')).toBe(content);
    await rm(join(folder, 'new'), { recursive: true });
    expect(await run(['pull', folder])).toMatchObject({ code: 0 });
    expect(await readFile(join(folder, 'tests/a.yaml'), 'utf8')).toBe('# mine');
  });

  test('names what would be lost, and loses it only with a yes', async () => {
    await applied(guardrail('pulled'));
    await put('a.yaml', 'mine');
    await put('b/only-here.yaml', 'mine');
    const unasked = await run(['pull', folder]);
    expect(unasked.code).toBe(1);
    expect(unasked.printed).toEqual(['~ a.yaml is overwritten', '- b/only-here.yaml is deleted: the service does not have it']);
    expect(unasked.errors).toContain('1 local file would be overwritten and 1 deleted');
    expect(await run(['pull', folder], { answer: 'no' })).toMatchObject({ code: 1 });
    expect(await readFile(join(folder, 'b/only-here.yaml'), 'utf8')).toBe('mine');
    expect(await readFile(join(folder, 'a.yaml'), 'utf8')).toBe('mine');
    expect(await run(['pull', folder], { answer: 'yes' })).toMatchObject({ code: 0 });
    expect(await readFile(join(folder, 'a.yaml'), 'utf8')).toBe(guardrail('pulled'));
    expect(await readdir(join(folder, 'b'))).toEqual([]);
  });

  test('an earlier revision; an unknown one is refused', async () => {
    await applied(guardrail('one'));
    const revision = await service.revision();
    await applied(guardrail('two'));
    const place = join(folder, 'old');
    expect(await run(['pull', place, '--revision', String(revision)])).toMatchObject({ code: 0 });
    expect(await readFile(join(place, 'a.yaml'), 'utf8')).toBe(guardrail('one'));
    expect((await run(['pull', place, '--revision', '999999'])).errors).toMatch(/answered 404: /);
  });
});

describe('a service that is not to be trusted', () => {
  test.each(['../evil.yaml', '/evil.yaml', 'a/../../evil.yaml', 'evil.sh', 'a\\..\\evil.yaml', 'link/evil.yaml', 'here.yaml'])(
    'writes nothing to %s',
    async (path) => {
      await mkdir(join(folder, 'in'));
      await mkdir(join(folder, 'out'));
      await symlink(join(folder, 'out'), join(folder, 'in/link'));
      await mkdir(join(folder, 'in/here.yaml'));
      const body = JSON.stringify({
        files: [
          { path: 'fine.yaml', content: '' },
          { path, content: 'evil' },
        ],
        revision: 1,
      });
      const flags = ['pull', join(folder, 'in'), '--auto-approve'];
      const terminal = await withAnswer(body, (url) => run([...flags, '--url', url]));
      expect(terminal).toMatchObject({ code: 1, printed: [] });
      expect((await readdir(folder)).toSorted()).toEqual(['in', 'out']);
      expect(await readdir(join(folder, 'out'))).toEqual([]);
      expect((await readdir(join(folder, 'in'))).toSorted()).toEqual(['here.yaml', 'link']);
    },
  );
});

/** Runs work beside a server that gives every request the same answer. */
async function withAnswer<T>(body: string, work: (url: string) => Promise<T>): Promise<T> {
  const server = createServer((_, answer) => void answer.writeHead(200).end(body));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  }
}
