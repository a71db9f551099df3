import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';

// Text that cannot be stored as it was sent is refused (docs/semantics.md, "Request bodies"), never stored differently.

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(Date.UTC(2026, 10, 21, 13));
});
afterAll(() => app.close());

async function post(path: string, body: string): Promise<{ status: number; body: { code?: string; error?: string } }> {
  const answer = await fetch(`${app.url}${path.replace(':org', app.organizationId).replace(':id', app.projectId)}`, {
    method: 'POST',
    headers: { cookie: app.cookie, 'content-type': 'application/json' },
    body,
  });
  return { status: answer.status, body: (await answer.json()) as { code?: string; error?: string } };
}

/** A text with half a surrogate pair, which JSON can escape and UTF-8 cannot encode. */
const half = String.raw`"a\ud800b"`;

test.each([
  ['a prompt', '/v1/prompts?projectId=:id', `{"name":"p","prompt":${half}}`],
  ['a message', '/v1/prompts?projectId=:id', `{"name":"p","type":"chat","prompt":[{"role":"user","content":${half}}]}`],
  ['a commit message', '/v1/prompts?projectId=:id', `{"name":"p","prompt":"x","commitMessage":${half}}`],
  ['a tag', '/v1/prompts?projectId=:id', `{"name":"p","prompt":"x","tags":[${half}]}`],
  ['a project', '/v1/organizations/:org/projects', `{"name":${half}}`],
  ['an API key', '/v1/projects/:id/api-keys', `{"name":${half}}`],
  ['a token', '/v1/me/tokens', `{"name":${half}}`],
  ['a password', '/v1/invitations/accept', String.raw`{"token":"a","name":"A","password":"long enough \ud800"}`],
  ['an organization', '/v1/organizations', `{"name":${half}}`],
  ['a dataset', '/v1/datasets?projectId=:id', `{"name":${half}}`],
  ['an evaluator', '/v1/projects/:id/evaluators', `{"slug":"s","type":"exact","name":${half}}`],
])('half a surrogate pair in %s is refused', async (_what, path, body) => {
  const answer = await post(path, body);
  expect(answer, body).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  expect(answer.body.error).toMatch(/unpaired surrogates|valid Unicode/);
});

test('half a surrogate pair in free-form JSON is kept', async () => {
  const made = await post('/v1/prompts?projectId=:id', `{"name":"free","prompt":"x","config":{"a":${half}}}`);
  expect(made).toMatchObject({ status: 201, body: { config: { a: 'a\ud800b' } } });
});

test.each([
  ['a prompt', '/v1/prompts?projectId=:id', '{"name":"p","prompt":"x","config":{"__proto__":{"a":1}}}'],
  ['an evaluator', '/v1/projects/:id/evaluators', '{"slug":"s","type":"exact","config":{"constructor":{"prototype":1}}}'],
])('a member that would change a prototype is refused in %s, and the error names it', async (_what, path, body) => {
  const answer = await post(path, body);
  expect(answer, body).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  expect(answer.body.error).toMatch(/__proto__.*rename/);
});

test('a dataset and a span store such a member as data', async () => {
  const metadata = JSON.parse('{"__proto__":{"a":1},"constructor":{"prototype":1}}') as object;
  const made = await post('/v1/datasets?projectId=:id', JSON.stringify({ name: 'proto', metadata }));
  expect(JSON.stringify(made.body)).toContain('"metadata":{"__proto__":{"a":1},"constructor":{"prototype":1}}');
  await app.send([{ type: 'span', traceId: 't', spanId: 's', name: 'n', startTime: '2026-11-21T12:00:00.000Z', metadata }]);
  const trace = await fetch(`${app.url}/v1/projects/${app.projectId}/traces/t`, { headers: { cookie: app.cookie } });
  expect(await trace.text()).toContain('"__proto__":{"a":1}');
});
