import type { CheckAnswer, GuardrailActivity } from '../../src/contract/guardrails.ts';
import { openFakeChatServer } from '../../src/features/model-connections/ask/fake-chat-server.fixture.ts';
import type { FakeChatServer } from '../../src/features/model-connections/ask/fake-chat-server.fixture.ts';
import { startTestApp } from './app.ts';
import type { TestApp } from './app.ts';

/** Made in this order. */
const guardrails = [
  { slug: 'cards', type: 'pii', stage: 'both', action: 'redact', config: { entities: ['payment_card'] } },
  { slug: 'words', type: 'blocklist', config: { terms: ['forbidden'] }, priority: 10 },
  {
    slug: 'replies',
    type: 'regex',
    stage: 'output',
    action: 'flag',
    config: { patterns: [{ pattern: 'sorry', label: 'apology' }] },
  },
  { slug: 'live', type: 'regex', action: 'flag', config: { patterns: [{ pattern: 'staged' }] }, environments: ['production'] },
  { slug: 'off', type: 'regex', config: { patterns: [{ pattern: '.' }] }, enabled: false },
  { slug: 'judged', type: 'llm_judge', config: { connection: 'Judge', instructions: 'No insults.' }, environments: ['judged'] },
];

export interface GuardedAnswer<T> {
  status: number;
  headers: Headers;
  body: T & { error?: string; code?: string; details?: unknown };
}

/** The service with some guardrails in its project. */
export interface GuardedProject {
  app: TestApp;
  /** Answers as the model that a guardrail asks. */
  judges: FakeChatServer;
  /** A project of the same organization without guardrails. */
  otherProject: string;
  /** A request of the owner. Fails unless it succeeds. */
  asOwner<T>(method: string, path: string, body: object): Promise<T>;
  /** A POST, by default with the project's key. Each begins a second later: a second has tokens for some checks. */
  send<T>(path: string, body: unknown, headers?: Record<string, string>): Promise<GuardedAnswer<T>>;
  check(body: object | string, headers?: Record<string, string>): Promise<GuardedAnswer<CheckAnswer>>;
  /** Resolves when the activity and the spans of all checks can be read. */
  drain(): Promise<void>;
  /** The activity with all checks. @param query begins with `?` */
  activity(query?: string): Promise<GuardrailActivity>;
  close(): Promise<void>;
}

/** Starts the service with guardrails: patterns, terms, a judge; for inputs and outputs, everywhere and in environments. */
export async function openGuardedProject(startMs: number, checksPerMinute: number): Promise<GuardedProject> {
  const app = await startTestApp(startMs, { SPANWISE_GUARDRAIL_RATE: String(checksPerMinute) });
  const judges = await openFakeChatServer();
  const asOwner: GuardedProject['asOwner'] = async <T>(method: string, path: string, body: object) => {
    const headers = { cookie: app.cookie, 'content-type': 'application/json' };
    const answer = await fetch(`${app.url}${path}`, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const send: GuardedProject['send'] = async <T>(path: string, body: unknown, headers = { 'x-api-key': app.apiKey }) => {
    app.clock.advance(1_000);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await fetch(`${app.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: text,
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as GuardedAnswer<T>['body'] };
  };
  const drain = async () => {
    await app.features.guardrails.flushActivity();
    await app.pipeline.drain();
  };
  const of = `/v1/projects/${app.projectId}`;
  await asOwner('POST', `${of}/model-connections`, { name: 'Judge', baseUrl: judges.url, apiKey: 'sk-of-a-test', model: 'm' });
  for (const name of ['production', 'judged']) await asOwner('POST', `${of}/environments`, { name });
  for (const guardrail of guardrails) await asOwner('POST', `${of}/guardrails`, guardrail);
  const other = await asOwner<{ id: string }>('POST', `/v1/organizations/${app.organizationId}/projects`, { name: 'Other' });
  return {
    app,
    judges,
    otherProject: other.id,
    asOwner,
    send,
    check: (body, headers) => send('/v1/guardrails/check', body, headers),
    drain,
    async activity(query = '') {
      await drain();
      const { status, body } = await app.get(`${of}/guardrails/activity${query}`);
      if (status !== 200) throw new Error(`the activity answered ${status}`);
      return body as GuardrailActivity;
    },
    async close() {
      await app.close();
      await judges.close();
    },
  };
}
