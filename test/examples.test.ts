import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from './support/app.ts';
import type { TestApp } from './support/app.ts';
import { startFakeOpenAi } from './clients/fake-openai.ts';

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);
const readme = [
  ...readFileSync(join(root, 'packages/sdk/README.md'), 'utf8').matchAll(/^## (.+)\n(?:(?!^## )[^])*?```js\n([^]*?)```/gm),
];

/** How what an example of the README exports is called. */
const calls: Readonly<Record<string, string>> = {
  Platforms: `
const behind = [];
const answer = await worker.fetch(new Request('http://localhost/'), process.env, { waitUntil: (work) => behind.push(work) });
console.log(await answer.text(), behind.length, await Promise.all(behind), spanwise.delivery().accepted);
`,
  Browsers: `
globalThis.location = { origin: 'http://page.test' };
const service = globalThis.fetch;
globalThis.fetch = (url, init) => (String(url).startsWith('http://page.test/guard/v1/policy-bundle') ? policyBundle() : service(url, init));
console.log(await warningOf('My card is 4111 1111 1111 1111.'), await warningOf('My dog is old.'));
`,
};

let app: TestApp;
let model: Awaited<ReturnType<typeof startFakeOpenAi>>;
let folder: string;
/** What each example prints, by its file or heading. All run at the same time. */
const printed = new Map<string, Promise<string>>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spanwise-examples-'));
  app = await startTestApp(Date.now());
  model = await startFakeOpenAi('Sunny. Card 4111 1111 1111 1111.');
  const send = async (path: string, body: object, headers: Record<string, string> = { 'x-api-key': app.apiKey }) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
    const answer = await fetch(`${app.url}/v1${path}`, init);
    expect(answer.ok, await answer.clone().text()).toBe(true);
    return (await answer.json()) as { id: string };
  };
  const guardrails = `/projects/${app.projectId}/guardrails`;
  const owner = { cookie: app.cookie };
  await send(
    guardrails,
    { slug: 'cards', type: 'pii', stage: 'both', action: 'redact', config: { entities: ['payment_card'] } },
    owner,
  );
  await send(guardrails, { slug: 'passwords', type: 'blocklist', stage: 'both', config: { terms: ['hunter2'] } }, owner);
  await send('/prompts', { name: 'support', prompt: 'Answer {{question}}', labels: ['production'] });
  const { id } = await send('/datasets', { name: 'sums' });
  await send(`/datasets/${id}/items`, { items: [{ input: { a: 1, b: 2 }, expectedOutput: 3 }] });
  for (const name of ['plain-script', 'opentelemetry', 'langchain', 'guarded-stream', 'prompt-with-fallback'])
    start(name, join(root, `examples/${name}.ts`));
  const handler = join(folder, 'call-handler.mjs');
  await writeFile(
    handler,
    `import { POST } from ${JSON.stringify(join(root, 'examples/route-handler.ts'))};
for (const question of ['How is the weather? 4111 1111 1111 1111', 'Is it hunter2?']) {
  const answer = await POST(new Request('http://localhost/api/chat', { method: 'POST', body: JSON.stringify({ question, sessionId: 's' }) }));
  console.log(answer.status, await answer.text());
}
`,
  );
  start('route-handler', handler);
  for (const [, heading = '', code = ''] of readme) {
    const file = join(folder, `${heading}.mjs`);
    await writeFile(file, code.replace('export default', 'const worker =') + (calls[heading] ?? ''));
    start(heading, file);
  }
  await Promise.allSettled(printed.values());
  await app.features.guardrails.flushActivity();
  await app.pipeline.drain();
});
afterAll(async () => {
  await app.close();
  await model.close();
  await rm(folder, { recursive: true, force: true });
});

function start(name: string, file: string): void {
  const env = {
    PATH: process.env['PATH'],
    SPANWISE_URL: app.url,
    SPANWISE_API_KEY: app.apiKey,
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: 'sk-of-a-test',
    // As scripts/run.mjs sets it.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
  };
  const hook = join(root, 'test/support/sdk-from-source.mjs');
  const output = run(process.execPath, ['--import', hook, file], { env, cwd: folder }).then(
    ({ stdout, stderr }) => stdout + stderr,
  );
  // Awaited by its test.
  output.catch(() => undefined);
  printed.set(name, output);
}

const output = (name: string) => printed.get(name);

interface Span {
  name: string;
  kind: string;
  model: string;
  spanId: string;
  parentSpanId: string;
  output: unknown;
}

/** The spans of the newest trace of a name. */
async function spansOf(name: string): Promise<{ spans: Span[]; scores: unknown[]; outcomes: unknown[] }> {
  const { body } = await app.get(`/v1/projects/${app.projectId}/traces?range=7d`);
  const found = (body as { traces: Array<{ name: string; traceId: string }> }).traces.find((trace) => trace.name === name);
  const trace = await app.get(`/v1/projects/${app.projectId}/traces/${found?.traceId}`);
  return trace.body as Awaited<ReturnType<typeof spansOf>>;
}

test('examples/plain-script.ts', async () => {
  expect(await output('plain-script')).toBe('Sunny. Card 4111 1111 1111 1111.\n');
  const { spans, scores } = await spansOf('weather');
  expect(spans.map(({ kind }) => kind).sort()).toEqual(['llm', 'span', 'tool']);
  expect(scores).toMatchObject([{ evaluator: 'short', score: 1 }]);
});

test('examples/route-handler.ts', async () => {
  expect(await output('route-handler')).toBe(
    '200 Sunny. Card [PAYMENT_CARD].\n422 {"error":"This question cannot be answered."}\n',
  );
  const { body } = await app.get(`/v1/projects/${app.projectId}/sessions/s`);
  const { traces } = body as { traces: Array<{ traceId: string; spanCount: number }> };
  const all = await Promise.all(
    traces.map(async ({ traceId }) => (await app.get(`/v1/projects/${app.projectId}/traces/${traceId}`)).body),
  );
  const names = (all as Array<{ spans: Span[] }>).map(({ spans }) => spans.map(({ kind }) => kind).sort());
  expect(names.sort((a, b) => a.length - b.length)).toEqual([
    ['guardrail', 'span'],
    ['guardrail', 'guardrail', 'llm', 'span'],
  ]);
});

test('examples/opentelemetry.ts', async () => {
  expect(await output('opentelemetry')).toBe('Sunny. Card 4111 1111 1111 1111.\n');
  const { spans } = await spansOf('ask');
  expect(spans.find(({ kind }) => kind === 'llm')).toMatchObject({ model: 'gpt-4o-2024-08-06' });
});

test('examples/langchain.ts', async () => {
  expect(await output('langchain')).toBe('Sunny. Card 4111 1111 1111 1111.\n');
  const { body } = await app.get(`/v1/projects/${app.projectId}/traces?range=7d&q=Paris`);
  const [trace] = (body as { traces: Array<{ traceId: string }> }).traces;
  const { spans } = (await app.get(`/v1/projects/${app.projectId}/traces/${trace?.traceId}`)).body as { spans: Span[] };
  const chain = spans.find(({ parentSpanId }) => !parentSpanId);
  expect(chain).toMatchObject({ kind: 'chain', name: 'forecast' });
  expect(spans.filter(({ kind }) => kind === 'llm')).toMatchObject([
    { name: 'chat gpt-4o', model: 'gpt-4o', usage: { inputTokens: 1200, outputTokens: 85 }, parentSpanId: chain?.spanId },
  ]);
});

test('examples/guarded-stream.ts', async () => {
  expect(await output('guarded-stream')).toBe(
    'Your card [PAYMENT_CARD] was charged.\nThe password of the server is \nThe text was blocked by passwords.\n',
  );
});

test('examples/prompt-with-fallback.ts', async () => {
  expect(await output('prompt-with-fallback')).toBe('version 1: Answer How is the weather?\nSunny. Card 4111 1111 1111 1111.\n');
  const { body } = await app.get(`/v1/projects/${app.projectId}/prompts/support/metrics?range=7d`);
  expect(body).toMatchObject({ versions: [{ version: 1, calls: 1 }] });
});

test('the examples of the README of the SDK', async () => {
  expect(readme.map(([, heading]) => heading)).toEqual([
    'Traces',
    'Prompts',
    'Guardrails',
    'Platforms',
    'Browsers',
    'OpenTelemetry',
    'Tests',
    'Events',
  ]);
  const shown = Object.fromEntries(await Promise.all(readme.map(async ([, heading = '']) => [heading, await output(heading)])));
  expect(shown['Traces']).toMatch(/rejected: \[\],\n.*refused: 0.*\n\s+queued: 0/s);
  expect(shown).toMatchObject({
    Prompts: 'null Say hello to Ada.\n',
    Guardrails: 'redact My card is [PAYMENT_CARD]. 2\nYour card \n[PAYMENT_CARD] was charged.\n',
    Platforms: 'Hello 1 [ undefined ] 2\n',
    Browsers: "[ 'cards' ] []\n",
    OpenTelemetry: '',
    Tests: '1 0\n',
    Events: '202\n',
  });
  const { body } = await app.get(`/v1/projects/${app.projectId}/outcomes/kinds`);
  expect(JSON.stringify(body)).toContain('ticket_closed');
});
