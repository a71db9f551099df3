import { startTestApp } from './app.ts';
import type { TestApp } from './app.ts';

/** Untyped JSON: the assertions of the tests check its shape. */
type Json = ReturnType<typeof JSON.parse>;

export interface Answer {
  status: number;
  body: Json;
}

/** The whole service; evaluations run when a test asks for them. */
export interface EvaluationApp extends TestApp {
  /** A request under the project's path, by the owner unless `headers` are given. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Creates an evaluator; fails the test unless the answer is 201. */
  evaluator(body: object): Promise<Json>;
  /** Sends native spans and runs their evaluations. */
  sendAndRun(spans: readonly object[]): Promise<void>;
  evaluations(query?: string): Promise<Json[]>;
  /** The scores in the response of the trace. */
  scores(traceId: string): Promise<Json[]>;
  /** A finished span of kind llm that starts now. */
  span(overrides: { traceId: string; spanId: string } & Record<string, unknown>): object;
}

export async function startEvaluationApp(startMs: number): Promise<EvaluationApp> {
  const app = await startTestApp(startMs);
  const call: EvaluationApp['call'] = async (method, path, body, headers = { cookie: app.cookie }) => {
    const answer = await fetch(`${app.url}/v1/projects/${app.projectId}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
  };
  return {
    ...app,
    call,
    async evaluator(body) {
      const { status, body: made } = await call('POST', '/evaluators', body);
      if (status !== 201) throw new Error(`an evaluator was refused: ${JSON.stringify(made)}`);
      return made;
    },
    async sendAndRun(spans) {
      const answer = await app.send(spans);
      if (answer.rejected.length > 0) throw new Error(JSON.stringify(answer.rejected));
      await app.evaluation.runPending();
      await app.pipeline.drain();
    },
    evaluations: async (query = '') => (await call('GET', `/evaluations${query}`)).body.evaluations,
    scores: async (traceId) => (await call('GET', `/traces/${traceId}`)).body.scores,
    span: (overrides) => ({
      type: 'span',
      name: 'chat',
      kind: 'llm',
      model: 'm/1',
      startTime: new Date(app.clock.now()).toISOString(),
      endTime: new Date(app.clock.now() + 500).toISOString(),
      input: 'a question',
      output: 'an answer',
      ...overrides,
    }),
  };
}
