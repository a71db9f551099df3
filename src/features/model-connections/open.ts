import { setTimeout as wait } from 'node:timers/promises';
import { SecretBox } from '../../platform/crypto/secret-box.ts';
import type { Feature, Platform } from '../../platform/feature/index.ts';
import { HttpClient } from '../../platform/net/index.ts';
import type { AddressPolicy } from '../../platform/net/index.ts';
import { ModelClient } from './ask/model-client.ts';
import type { ModelClientOptions } from './ask/model-client.ts';
import type { ConnectionsContext, ConnectionsPorts } from './connections-context.ts';
import { hasConnectionNamed } from './get-connection.ts';
import { connectionRoutes } from './routes.ts';

/** Delays and timeouts of questions; for tests. */
export type AskingOptions = Partial<Pick<ModelClientOptions, 'delay' | 'random' | 'timeoutMs' | 'limits'>>;

export interface ConnectionsFeature extends Feature {
  context: ConnectionsContext;
  models: ModelClient;
  /** Whether a project has a model connection of this name. */
  hasConnectionNamed(projectId: string, name: string): Promise<boolean>;
  /** Closes every connection to model servers; questions in progress fail with a retryable error. */
  close(): Promise<void>;
}

/** Model connections and questions to models. Connections to model servers are opened when first needed. */
export function open(
  { postgres, clock, secret }: Pick<Platform, 'postgres' | 'clock' | 'secret'>,
  { addresses, useReaders, onConnectionChanged, ...asking }: { addresses: AddressPolicy } & ConnectionsPorts & AskingOptions,
): ConnectionsFeature {
  const box = new SecretBox({ secret, purpose: 'model-connection' });
  const http = new HttpClient({ addresses });
  const db = postgres.db;
  const context: ConnectionsContext = { db, clock, box, http, useReaders, onConnectionChanged };
  const delay: ModelClientOptions['delay'] = (ms, signal) => wait(ms, undefined, signal ? { signal } : {});
  const models = new ModelClient({ connections: context, http, clock, delay, ...asking });
  return {
    context,
    models,
    hasConnectionNamed: (projectId, name) => hasConnectionNamed(context, projectId, name),
    routes: (server) => connectionRoutes(server, context),
    close: async () => {
      await http.close();
      await models.close();
    },
  };
}
