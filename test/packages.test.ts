import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { EdgeVM } from '@edge-runtime/vm';
import { build } from 'esbuild';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);
const text = (...path: string[]) => readFile(join(root, ...path), 'utf8');

const names = ['guardrails', 'sdk'] as const;
type Name = (typeof names)[number];
/** Libraries that a user installs beside them: dependencies, and peers for the entries that need them. */
const libraries = [
  're2js',
  'libphonenumber-js',
  '@opentelemetry/exporter-trace-otlp-proto',
  '@opentelemetry/sdk-trace-base',
  '@opentelemetry/api',
  '@types/node',
];
/** A project of a user with the packed packages installed. */
let project: string;
const tarballs = new Map<Name, string>();

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'spanwise-packed-'));
  const workspaces = names.map((name) => `--workspace=packages/${name}`);
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', project, ...workspaces], { cwd: root });
  const packed = JSON.parse(stdout) as ReadonlyArray<{ name: string; filename: string }>;
  expect(packed.map(({ name }) => name)).toEqual(names.map((name) => `@spanwise/${name}`));
  for (const name of names) {
    const tarball = join(project, packed.find((one) => one.name === `@spanwise/${name}`)?.filename ?? '');
    tarballs.set(name, tarball);
    const folder = join(project, 'node_modules/@spanwise', name);
    await mkdir(folder, { recursive: true });
    await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder]);
  }
  for (const library of libraries) {
    const path = join(project, 'node_modules', library);
    await mkdir(dirname(path), { recursive: true });
    await symlink(join(root, 'node_modules', library), path);
  }
});
afterAll(() => rm(project, { recursive: true, force: true }));

async function execute(file: string, source: string): Promise<string> {
  await writeFile(join(project, file), source);
  return (await run(process.execPath, [join(project, file)], { cwd: project })).stdout;
}

function filesOf(name: Name): Promise<string[]> {
  return readdir(join(project, 'node_modules/@spanwise', name), { recursive: true });
}

async function compile(lib: string, ...files: string[]): Promise<void> {
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--lib', lib];
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...options, ...files], { cwd: project });
}

describe.each(names)('@spanwise/%s, packed', (name) => {
  test('has its built files, types, README and licence, and no sources', async () => {
    const files = await filesOf(name);
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    const { exports } = JSON.parse(await text('packages', name, 'package.json')) as { exports: Record<string, unknown> };
    for (const target of JSON.stringify(exports).match(/\.\/dist\/[\w.-]+/g) ?? []) expect(files).toContain(target.slice(2));
    const others = files.filter(
      (file) => !/^(?:dist|LICENSE|README\.md|package\.json|dist\/[\w-]+(?:\.d)?\.c?[jt]s)$/.test(file),
    );
    expect(others.toSorted()).toEqual(name === 'sdk' ? ['dist/THIRD-PARTY-LICENSES.txt', 'dist/cli.licenses.txt'] : []);
    expect(await text('packages', name, 'LICENSE')).toBe(await text('LICENSE'));
  });

  test('gives the same to import and require', async () => {
    const entries = name === 'sdk' ? ['', '/ai', '/otel', '/vitest'] : [''];
    const keysOf = (load: (path: string) => string) =>
      entries.map((entry) => `console.log(Object.keys(${load(`@spanwise/${name}${entry}`)}).sort().join());`).join('\n');
    const imported = await execute(
      'import.mjs',
      keysOf((path) => `await import('${path}')`),
    );
    const required = await execute(
      'require.cjs',
      keysOf((path) => `require('${path}')`),
    );
    const sources = (await import(`../packages/${name}/src/index.ts`)) as object;
    expect(imported.split('\n')[0]).toBe(Object.keys(sources).toSorted().join());
    expect(imported.trim().split('\n')).toHaveLength(entries.length);
    expect(required).toBe(imported);
  });

  test('publint and @arethetypeswrong find nothing', async () => {
    const data = new Uint8Array(await readFile(tarballs.get(name) ?? ''));
    const { messages } = await publint({ pack: { tarball: data.buffer }, strict: true });
    expect(messages).toEqual([]);
    const result = await checkPackage(createPackageFromTarballData(data));
    expect('problems' in result ? result.problems : 'no types').toEqual([]);
  });
});

test('@spanwise/guardrails is typed without Node and without a platform library; the example of its README runs', async () => {
  const use =
    "import { compilePatterns } from '@spanwise/guardrails';\nexport const start: number | undefined = compilePatterns([{ pattern: 'a' }]).find('a').matches[0]?.start;\n";
  const wrong = `${use}// @ts-expect-error\nexport const wrong: boolean = start;\n`;
  for (const file of ['use.mts', 'use.cts']) await writeFile(join(project, file), wrong);
  await compile('es2022', '--types', '', 'use.mts', 'use.cts');
  const example = /```js\n([^]*?)```/.exec(await text('packages/guardrails/README.md'))?.[1] ?? '';
  expect(example.replaceAll(/^\/\/ /gm, '')).toContain(await execute('example.mjs', example));
});

const typed = `
import { GuardrailBlocked, Spanwise, type Prompt, type SpanEvent, type Verdict } from '@spanwise/sdk';
import { SpanwiseSpanProcessor, spanwiseExporter } from '@spanwise/sdk/otel';
import { evaluate, gate } from '@spanwise/sdk/vitest';
export async function use(source: ReadableStream<string>): Promise<string> {
  const spanwise = new Spanwise({ redact: (event) => (event.type === 'span' ? ({ ...event, input: null } satisfies SpanEvent) : event) });
  const verdict: Verdict = await spanwise.guard.check('text', { stage: 'output', onUnavailable: 'allow' });
  const prompt: Prompt = await spanwise.prompts.get('name', { fallback: [{ role: 'user', content: 'Hi' }] });
  // @ts-expect-error There is no such stage.
  await spanwise.guard.check('text', { stage: 'middle' });
  // @ts-expect-error A number is no fallback.
  await spanwise.prompts.get('name', { fallback: 1 });
  let shown = '';
  for await (const piece of spanwise.guard.stream(source)) shown += piece.toUpperCase();
  const run = await evaluate('dataset', (input: { a: number }) => input.a, [function half({ output }) { return output / 2; }]);
  const { passed } = await gate({ candidate: run.runId, baseline: 'b' });
  new SpanwiseSpanProcessor({ apiKey: 'spw_' }).shutdown().then(() => spanwiseExporter().shutdown());
  const name: string = await spanwise.trace({ name: 'a' }, async (trace) => trace.traceId);
  return [verdict.action, prompt.type === 'chat' ? prompt.compile({})[0]?.content : prompt.compile(), shown, passed, name, GuardrailBlocked.name].join();
}
`;

test('@spanwise/sdk is typed for ESM and CommonJS, in Node and in browsers', async () => {
  for (const file of ['sdk.mts', 'sdk.cts']) await writeFile(join(project, file), typed);
  const browser = typed.replaceAll(/^.*(?:otel|SpanProcessor).*$/gm, '');
  await writeFile(join(project, 'browser.mts'), browser);
  await Promise.all([
    compile('es2022', '--types', 'node', 'sdk.mts', 'sdk.cts'),
    compile('es2022,dom,dom.iterable,dom.asynciterable', '--types', '', 'browser.mts'),
  ]);
});

test('the main entry of @spanwise/sdk loads nothing of Node, and the engine only on first use', async () => {
  const dist = join(project, 'node_modules/@spanwise/sdk/dist');
  for (const extension of ['js', 'cjs']) {
    const loaded = new Set([`index.${extension}`]);
    for (const file of loaded) {
      const code = await readFile(join(dist, file), 'utf8');
      for (const [, imported, required] of code.matchAll(/\bfrom\s*["'`]([^"'`]+)|^(?:.*[;,=]|\s*)require\(["'`]([^"'`]+)/gm)) {
        const target = imported ?? required ?? '';
        expect(target, file).toMatch(/^\.\//);
        loaded.add(target.slice(2));
      }
      // Not even as a name that the platform is asked for: bundlers and scanners look for the text.
      expect(code.includes('node:'), file).toBe(false);
    }
    expect([...loaded].join()).not.toMatch(/guard\.|prompts/);
  }
  const licences = await readFile(join(dist, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  expect(licences).toMatch(/^re2js [\d.]+ \(MIT\)$/m);
  expect(licences).toMatch(/^libphonenumber-js [\d.]+ \(MIT\)$/m);
});

/** What an application does in a browser or in a worker; the service is a function. */
const guarding = `
import { GuardrailBlocked, Spanwise } from '@spanwise/sdk';
const spanwise = new Spanwise({ apiKey: 'spw_test', baseUrl: 'https://spanwise.test', onError: (error) => errors.push(error.message) });
const errors = [];
async function guard() {
  const { action, text } = await spanwise.guard.check('Card 4111 1111 1111 1111');
  const shown = [];
  for await (const piece of spanwise.guard.stream(['Card 4111 1111', ' 1111 1111, and so on'])) shown.push(piece);
  const blocked = await (async () => {
    for await (const _piece of spanwise.guard.stream(['it is for', 'bidden, ', 'really'])) continue;
  })().then(() => false, (error) => error instanceof GuardrailBlocked);
  const prompt = await spanwise.prompts.get('p', { fallback: 'Hi {{name}}' });
  const traced = await spanwise.trace({ name: 'a' }, async () => 'returned');
  await spanwise.shutdown();
  return JSON.stringify({ action, text, shown: shown.join(''), blocked, prompt: prompt.compile({ name: 'Ada' }), traced, sent: spanwise.delivery().accepted, errors });
}
globalThis.guarded = guard();
`;
const expected = {
  action: 'redact',
  text: 'Card [PAYMENT_CARD]',
  shown: 'Card [PAYMENT_CARD], and so on',
  blocked: true,
  prompt: 'Hi Ada',
  traced: 'returned',
  sent: 2,
};

const defaults = { name: 'n', stage: 'both', priority: 1, onError: 'block', remote: false };
const bundle = {
  version: 1,
  etag: '"1"',
  compiledAt: '',
  environment: null,
  guardrails: [
    { slug: 'cards', type: 'pii', action: 'redact', config: { entities: ['payment_card', 'phone'] }, ...defaults },
    { slug: 'words', type: 'regex', action: 'block', config: { patterns: [{ pattern: 'forb[a-z]+n,' }] }, ...defaults },
  ],
};

/** Answers as the service, with the `Response` of the platform. */
function fakeFetch(answers: typeof Response): typeof fetch {
  return (input) => {
    const url = String(input);
    const respond = (body: object, status = 200) => Promise.resolve(new answers(JSON.stringify(body), { status }));
    if (url.endsWith('/v1/policy-bundle')) return respond(bundle);
    if (url.endsWith('/v1/ingest')) return respond({ accepted: 2, rejected: [] }, 202);
    if (url.endsWith('/v1/guardrails/report')) return respond({ accepted: 1, rejected: [] }, 202);
    return respond({ error: 'There is no such prompt.', code: 'not_found' }, 404);
  };
}

describe('an application with @spanwise/sdk, bundled by esbuild', () => {
  let code: string;

  beforeAll(async () => {
    const { outputFiles, warnings } = await build({
      stdin: { contents: guarding, resolveDir: project },
      bundle: true,
      write: false,
      format: 'iife',
      platform: 'browser',
      target: 'es2022',
      logLevel: 'silent',
    });
    expect(warnings).toEqual([]);
    code = outputFiles[0]?.text ?? '';
  });

  const result = (guarded: unknown) =>
    (guarded as Promise<string>).then((json) => {
      const { errors, ...rest } = JSON.parse(json) as typeof expected & { errors: string[] };
      expect(errors).toEqual([expect.stringContaining('There is no prompt "p"')]);
      return rest;
    });

  test('checks texts in a browser', async () => {
    // What browsers have. Neither process, Buffer, global nor require.
    const { crypto, URL, URLSearchParams, TextEncoder, TextDecoder, AbortController, Response, CompressionStream, btoa } =
      globalThis;
    const window: Record<string, unknown> = { crypto, URL, URLSearchParams, TextEncoder, TextDecoder, AbortController, Response };
    Object.assign(window, { CompressionStream, Blob, btoa, performance, console, fetch: fakeFetch(Response) });
    Object.assign(window, { setTimeout: (call: () => void, ms: number) => Number(setTimeout(call, ms)), clearTimeout, window });
    const context = createContext(window, { codeGeneration: { strings: false, wasm: false } });
    runInContext(code, context);
    expect(await result(window['guarded'])).toEqual(expected);
  });

  test('checks texts in an edge runtime', async () => {
    const vm = new EdgeVM({ codeGeneration: { strings: false, wasm: false } });
    vm.context.fetch = fakeFetch(vm.context.Response as unknown as typeof Response) as never;
    vm.evaluate(code);
    expect(await result(vm.evaluate('globalThis.guarded'))).toEqual(expected);
  });
});

describe('the command line of @spanwise/sdk, packed', () => {
  const spanwise = async (...parameters: string[]) => {
    const { bin } = JSON.parse(await readFile(join(project, 'node_modules/@spanwise/sdk/package.json'), 'utf8'));
    const env = { PATH: process.env['PATH'], HOME: project, SPANWISE_API_KEY: 'spw_x' };
    const child = run(process.execPath, [join(project, 'node_modules/@spanwise/sdk', bin.spanwise), ...parameters], {
      cwd: project,
      env,
    });
    return child.then(
      ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
  };

  test('has the commands that speak to a service, and no others', async () => {
    const { code, stdout } = await spanwise('--help');
    expect(code).toBe(0);
    const commands = [...stdout.matchAll(/^ {2}([a-z-]+) /gm)].map((match) => match[1]);
    const licenses = await readFile(join(project, 'node_modules/@spanwise/sdk/dist/cli.licenses.txt'), 'utf8');
    for (const library of ['commander', 'yaml', 'zod', 're2js', 'cli-table3', '@clack/prompts'])
      expect(licenses).toMatch(new RegExp(`^${library} \\d[^\\n]*\\n\\n.`, 'm'));
    const expected =
      'login logout whoami traces trace calls query prompt dataset simulate gate policy verify-pack completion help';
    expect(commands.join(' ')).toBe(expected);
  });

  test('asks a service, completes and checks policies without libraries beside it', async () => {
    const server = createServer((request, response) => {
      expect(request.headers.authorization).toBe('Bearer spw_x');
      response.end(JSON.stringify({ projectId: 'p', path: request.url }));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stdout } = await spanwise('whoami', '--json', '--url', url);
    expect([code, JSON.parse(stdout)]).toEqual([0, { url, credential: 'key', projectId: 'p', path: '/v1/sdk/whoami' }]);
    await new Promise((resolve) => void server.close(resolve));
    expect(await spanwise('whoami', '--url', url)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be reached'),
    });
    expect((await spanwise('completion', 'bash')).stdout).toContain('complete -o default -F _spanwise spanwise');
    expect(await spanwise('policy', 'init', 'policies')).toMatchObject({ code: 0 });
    expect((await spanwise('policy', 'test', 'policies')).stdout).toBe('4 passed, 0 failed\n');
  });
});
