import { expect } from 'vitest';
import { openConnectionsService, ownProject } from '../connections/connections-service.fixture.ts';
import type { ConnectionsService } from '../connections/connections-service.fixture.ts';
import { EvaluationError } from '../types/evaluator-type.ts';
import type { Subject, Verdict } from '../types/evaluator-type.ts';
import { openFakeChatServer } from './fake-chat-server.fixture.ts';
import type { FakeChatServer } from './fake-chat-server.fixture.ts';

export const apiKey = 'sk-proj-0123456789-of-a-test';
export const good = { reasoning: 'It answers the question.', score: 4 };
const subject: Subject = { input: 'What is 2+2?', output: '4', expectedOutput: undefined, latencyMs: null, costUsd: null };

/** What a test asks for; the rest is as of an ordinary evaluator. */
export interface Asked {
  projectId?: string;
  model?: string;
  instructions?: string;
  scale?: [number, number];
  subject?: Partial<Subject>;
  connectionId?: string;
}

/** A judge whose model is a server of the test. It waits for nothing and gives up on an answer after 300 ms. */
export interface JudgeService {
  service: ConnectionsService;
  server: FakeChatServer;
  /** How long it would have waited, since the last new connection. */
  waits: number[];
  /** The connection that is asked unless a test says otherwise. */
  connectionId: string;
  connect(given?: object): Promise<string>;
  /** Takes a new connection, of which nothing is remembered. */
  renew(): Promise<void>;
  judged(asked?: Asked, signal?: AbortSignal): Promise<Verdict>;
  /** The failure of a judgement, which must not show the key. */
  failed(asked?: Asked, signal?: AbortSignal): Promise<EvaluationError>;
  close(): Promise<void>;
}

export async function openJudgeService(): Promise<JudgeService> {
  const server = await openFakeChatServer();
  let made = 0;
  const judge: JudgeService = {
    service: await openConnectionsService({
      delay: async (ms) => void judge.waits.push(ms),
      random: () => 0.5,
      timeoutMs: 300,
    }),
    server,
    waits: [],
    connectionId: '',
    connect: (given = {}) =>
      judge.service.connect({ name: `Judge ${++made}`, baseUrl: server.url, model: 'gpt-4o', apiKey, ...given }),
    renew: async () => {
      judge.waits = [];
      judge.connectionId = await judge.connect();
    },
    judged: ({ projectId = ownProject, subject: given, ...config } = {}, signal) => {
      const { connectionId } = judge;
      const whole = { connectionId, model: 'gpt-4o', instructions: 'Is it correct?', scale: [1, 5], ...config };
      return judge.service.measures.measure({ projectId, type: 'llm_judge', config: whole }, { ...subject, ...given }, signal);
    },
    failed: async (asked, signal) => {
      const error = await judge.judged(asked, signal).then(
        (verdict) => new Error(`it was judged: ${JSON.stringify(verdict)}`),
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(EvaluationError);
      const { message } = error as EvaluationError;
      expect(message).not.toMatch(/sk-proj|0123456789/);
      expect(message).toMatch(/^[A-Z].*\S$/);
      return error as EvaluationError;
    },
    close: async () => {
      await judge.service.close();
      await server.close();
    },
  };
  return judge;
}
