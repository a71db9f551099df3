import { expect } from 'vitest';
import { openFakeChatServer } from '../../model-connections/ask/fake-chat-server.fixture.ts';
import type { FakeChatServer } from '../../model-connections/ask/fake-chat-server.fixture.ts';
import { openConnectionsService, ownProject } from '../../model-connections/connections-service.fixture.ts';
import type { ConnectionsService } from '../../model-connections/connections-service.fixture.ts';
import { EvaluationError } from '../evaluation-error.ts';
import type { Measures } from '../measures.ts';
import { openMeasures } from '../open-measures.ts';
import type { Subject, Verdict } from '../types/evaluator-type.ts';

export const apiKey = 'sk-proj-0123456789-of-a-test';
export const good = { reasoning: 'It answers the question.', score: 4 };
const subject: Subject = { input: 'What is 2+2?', output: '4', expectedOutput: undefined, latencyMs: null, costUsd: null };

/** What differs from an ordinary judge in a test. */
export interface Asked {
  projectId?: string;
  model?: string;
  instructions?: string;
  scale?: [number, number];
  subject?: Partial<Subject>;
  connectionId?: string;
}

/** A judge whose model is a server of the test. Retries do not wait, and an attempt times out after 300 ms. */
export interface JudgeService {
  service: ConnectionsService;
  measures: Measures;
  server: FakeChatServer;
  /** The waits between attempts, in milliseconds, since {@link JudgeService.renew}. */
  waits: number[];
  /** The default connection. */
  connectionId: string;
  connect(given?: object): Promise<string>;
  /** Replaces the default connection by a new one, whose answer formats are unknown. */
  renew(): Promise<void>;
  judged(asked?: Asked, signal?: AbortSignal): Promise<Verdict>;
  /** The error of a judgement, which must not contain the key. */
  failed(asked?: Asked, signal?: AbortSignal): Promise<EvaluationError>;
  close(): Promise<void>;
}

export async function openJudgeService(): Promise<JudgeService> {
  const server = await openFakeChatServer();
  let made = 0;
  const service = await openConnectionsService({
    delay: async (ms) => void judge.waits.push(ms),
    random: () => 0.5,
    timeoutMs: 300,
  });
  const { measures, close } = openMeasures(service);
  const judge: JudgeService = {
    service,
    measures,
    server,
    waits: [],
    connectionId: '',
    connect: (given = {}) => service.connect({ name: `Judge ${++made}`, baseUrl: server.url, model: 'gpt-4o', apiKey, ...given }),
    renew: async () => {
      judge.waits = [];
      judge.connectionId = await judge.connect();
    },
    judged: ({ projectId = ownProject, subject: given, ...config } = {}, signal) => {
      const { connectionId } = judge;
      const whole = { connectionId, model: 'gpt-4o', instructions: 'Is it correct?', scale: [1, 5], ...config };
      return measures.measure({ projectId, type: 'llm_judge', config: whole }, { ...subject, ...given }, signal);
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
      await service.close();
      await close();
      await server.close();
    },
  };
  return judge;
}
