import type { IncomingAnswer, OutgoingRequest } from '../../../platform/net/index.ts';
import type { ModelAnswer, ModelQuestion } from '../../model-connections/index.ts';
import type { SimulationsContext } from '../simulations-context.ts';

/** What was sent to a target, and what it answered. */
export interface Exchange {
  /** The last request. */
  request: OutgoingRequest | null;
  requests: number;
  response: (IncomingAnswer & { latencyMs: number }) | null;
  question: ModelQuestion | null;
  answer: ModelAnswer | null;
}

/** A context whose requests and questions are noted down. */
export function observed(context: SimulationsContext): { observing: SimulationsContext; exchange: Exchange } {
  const exchange: Exchange = { request: null, requests: 0, response: null, question: null, answer: null };
  const { http, models } = context;
  const observing: SimulationsContext = {
    ...context,
    http: {
      checkUrl: (url) => http.checkUrl(url),
      request: async (request) => {
        Object.assign(exchange, { request, response: null, requests: exchange.requests + 1 });
        const started = performance.now();
        const response = await http.request(request);
        exchange.response = { ...response, latencyMs: performance.now() - started };
        return response;
      },
    },
    models: {
      findConnectionNamed: (projectId, name) => models.findConnectionNamed(projectId, name),
      askModel: async (connection, question) => {
        exchange.question = question;
        exchange.answer = await models.askModel(connection, question);
        return exchange.answer;
      },
    },
  };
  return { observing, exchange };
}
