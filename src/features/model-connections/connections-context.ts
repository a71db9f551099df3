import type { Clock } from '../../platform/clock/clock.ts';
import type { SecretBox } from '../../platform/crypto/secret-box.ts';
import type { HttpClient } from '../../platform/net/index.ts';
import type { UseReaders } from './uses.ts';
import type { Database, Transaction } from '../../platform/postgres/index.ts';

/** What the feature needs of others. */
export interface ConnectionsPorts {
  useReaders: UseReaders;
  /**
   * Called in the transaction that changes a connection, for drift of the guardrails that policy files manage.
   *
   * @param transaction the caller's
   */
  onConnectionChanged(transaction: Transaction, projectId: string, change: ConnectionChanged): Promise<void>;
}

/** What a judge asks, before and after a change. */
export interface ConnectionChanged {
  name: string;
  before: { baseUrl: string; model: string };
  after: { baseUrl: string; model: string };
}

/** Dependencies of the verbs. */
export interface ConnectionsContext extends ConnectionsPorts {
  db: Database;
  clock: Clock;
  /** For API keys; the owner of a sealed key is the connection's id. */
  box: SecretBox;
  /** For the requests to models. */
  http: Pick<HttpClient, 'checkUrl'>;
}
