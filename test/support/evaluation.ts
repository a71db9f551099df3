import { startTestApp } from './app.ts';
import type { TestApp } from './app.ts';

/** Whatever JSON it was: the tests look at what they expect, and a wrong shape fails them. */
type Json = ReturnType<typeof JSON.parse>;

export interface Answer {
  status: number;
  body: Json;
}

/** The whole service with its evaluators, worked by hand. */
export interface EvaluationApp extends TestApp {
  /** A request of the owner under the project's path, `/evaluators` and the like; of others with `headers`. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Makes an evaluator; the test fails when it is refused. */
  evaluator(body: object): Promise<Json>;
  /** Sends native spans and runs what they ask for. */
  sendAndRun(spans: readonly object[]): Promise<void>;
  evaluations(query?: string): Promise<Json[]>;
  /** The scores of a trace as its detail shows them. */
  scores(traceId: string): Promise<Json[]>;
  /** A finished span of kind llm, starting now. */
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
