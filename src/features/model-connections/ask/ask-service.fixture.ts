import { expect } from 'vitest';
import { openConnectionsService, ownProject } from '../connections-service.fixture.ts';
import type { ConnectionsService } from '../connections-service.fixture.ts';
import { openFakeChatServer } from './fake-chat-server.fixture.ts';
import type { FakeChatServer } from './fake-chat-server.fixture.ts';
import type { ModelObjectAnswer, ModelQuestion } from './model-client.ts';
import { ModelError } from './model-error.ts';

export const apiKey = 'sk-proj-0123456789-of-a-test';
export const good = { verdict: 'yes', reason: 'It is so.' };
export const responseSchema = {
  name: 'verdict',
  schema: {
    type: 'object',
    properties: { verdict: { type: 'string' }, reason: { type: 'string' } },
    required: ['verdict', 'reason'],
    additionalProperties: false,
  },
  essential: ['verdict'],
};
export const question = {
  messages: [{ role: 'user' as const, content: 'Is it so?' }],
  model: 'gpt-4o',
  temperature: 0,
  responseSchema,
};

/** A model client whose server is the test's. Retries do not wait, and an attempt times out after 300 ms. */
export interface AskService {
  service: ConnectionsService;
  server: FakeChatServer;
  /** The waits between attempts, in milliseconds, since the last {@link AskService.renew}. */
  waits: number[];
  connectionId: string;
  /** Creates a connection to the server. @returns its id */
  connect(given?: object): Promise<string>;
  /** Takes a new connection, whose answer formats are unknown. */
  renew(): Promise<void>;
  ask(more?: Partial<ModelQuestion>): Promise<ModelObjectAnswer>;
  /** The error of a question, which must not contain the key. */
  failure(more?: Partial<ModelQuestion>): Promise<ModelError>;
  close(): Promise<void>;
}

export async function openAskService(): Promise<AskService> {
  const server = await openFakeChatServer();
  let made = 0;
  const asking: AskService = {
    service: await openConnectionsService({ delay: async (ms) => void asking.waits.push(ms), random: () => 0.5, timeoutMs: 300 }),
    server,
    waits: [],
    connectionId: '',
    connect: (given = {}) =>
      asking.service.connect({ name: `Model ${++made}`, baseUrl: server.url, model: 'gpt-4o', apiKey, ...given }),
    renew: async () => {
      asking.waits = [];
      asking.connectionId = await asking.connect();
    },
    ask: async (more = {}) => {
      const { models } = asking.service;
      const connection = await models.findConnection(ownProject, asking.connectionId);
      if (!connection) throw new Error('the connection of the test does not exist');
      return models.askModel(connection, { ...question, ...more });
    },
    failure: async (more) => {
      const error = await asking.ask(more).then(
        (answer) => new Error(`it was answered: ${JSON.stringify(answer)}`),
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(ModelError);
      const { message } = error as ModelError;
      expect(message).not.toMatch(/sk-proj|0123456789/);
      expect(message).toMatch(/^[A-Z].*\S$/);
      return error as ModelError;
    },
    close: async () => {
      await asking.service.close();
      await server.close();
    },
  };
  return asking;
}
