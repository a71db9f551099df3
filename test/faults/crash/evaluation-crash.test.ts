import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { hangs, openFakeChatServer, says } from '../../../src/features/model-connections/ask/fake-chat-server.fixture.ts';
import type { FakeChatServer } from '../../../src/features/model-connections/ask/fake-chat-server.fixture.ts';
import { startService, temporaryDataDirectory } from '../../support/service.ts';
import type { Service } from '../../support/service.ts';
import { copyStores } from '../../support/store-templates.ts';

let directory: Awaited<ReturnType<typeof temporaryDataDirectory>>;
let model: FakeChatServer;
let service: Service;

beforeAll(async () => {
  directory = await temporaryDataDirectory();
  copyStores(directory.path);
  model = await openFakeChatServer();
  service = await startService({ dataDirectory: directory.path });
});
afterAll(async () => {
  await service.stop();
  await model.close();
  await directory.remove();
});

type Json = ReturnType<typeof JSON.parse>;

async function request(method: string, path: string, headers: Record<string, string>, body?: object): Promise<Json> {
  const answer = await fetch(`${service.url}${path}`, {
    method,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  expect(answer.status, `${method} ${path}`).toBeLessThan(300);
  return answer.json();
}

test('a judgement interrupted by a kill is requested again and its score reaches the trace', { timeout: 120_000 }, async () => {
  const { cookie, projectId } = await service.signIn();
  const key = { 'x-api-key': service.apiKey };
  const project = `/v1/projects/${projectId}`;
  const connection = { name: 'local', baseUrl: model.url, apiKey: 'sk-judge', model: 'judge/1' };
  const { id: connectionId } = await request('POST', `${project}/model-connections`, { cookie }, connection);
  await request('POST', `${project}/evaluators`, key, {
    slug: 'helpful',
    type: 'llm_judge',
    target: 'span',
    passThreshold: 4,
    config: { connectionId, model: 'judge/1', instructions: 'How helpful is the answer?', scale: [1, 5] },
  });
  model.answers(hangs);
  const now = new Date().toISOString();
  const spans = ['a', 'b'].map((spanId) => ({
    type: 'span',
    traceId: 't',
    spanId,
    name: 'chat',
    kind: 'llm',
    startTime: now,
    endTime: now,
  }));
  const body = spans.map((span) => JSON.stringify({ ...span, input: 'why?', output: 'because' })).join('\n');
  await fetch(`${service.url}/v1/ingest`, {
    method: 'POST',
    headers: { ...key, 'content-type': 'application/x-ndjson' },
    body,
  });
  await vi.waitFor(() => expect(model.requests).toHaveLength(2), 20_000);
  const listed = async () => (await request('GET', `${project}/evaluations`, key)).evaluations as Json[];
  expect(await listed()).toMatchObject([{ status: 'running' }, { status: 'running' }]);

  await service.stop('SIGKILL');
  model.answers(says({ reasoning: 'It says why.', score: 4 }, { usage: { prompt_tokens: 30, completion_tokens: 5 } }));
  service = await startService({ dataDirectory: directory.path });

  const completed = { status: 'completed', score: 4, passed: true, comment: 'It says why.', attempts: 2 };
  await vi.waitFor(async () => expect(await listed()).toMatchObject([completed, completed]), 30_000);
  expect((await listed())[0].usage).toMatchObject({ inputTokens: 30, outputTokens: 5 });
  const scores = async () => (await request('GET', `${project}/traces/t`, key)).scores as Json[];
  await vi.waitFor(async () => expect(await scores()).toHaveLength(2), 10_000);
  expect(await scores()).toMatchObject([
    { evaluator: 'helpful', score: 4, passed: true, comment: 'It says why.', source: 'evaluator' },
    {},
  ]);
});
