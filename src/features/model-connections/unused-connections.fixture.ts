import type { ConnectionsPorts } from './connections-context.ts';

const none = async () => [];

/** Ports of a service without guardrails, evaluators and scenarios. */
export const unusedConnections: ConnectionsPorts = {
  useReaders: { guardrails: none, scenarios: none, evaluators: none },
  onConnectionChanged: async () => undefined,
};
