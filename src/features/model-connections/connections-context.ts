import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock/clock.ts';
import type { SecretBox } from '../../platform/crypto/secret-box.ts';
import type { HttpClient } from '../../platform/net/index.ts';

export interface ConnectionTables {
  model_connections: {
    id: string;
    project_id: string;
    name: string;
    base_url: string;
    model: string;
    sealed_key: string | null;
    created_at: Date;
    updated_at: Date;
  };
}

/** Dependencies of the verbs. */
export interface ConnectionsContext {
  db: Kysely<ConnectionTables>;
  clock: Clock;
  /** For API keys; the owner of a sealed key is the connection's id. */
  box: SecretBox;
  /** For the requests to models. */
  http: Pick<HttpClient, 'checkUrl'>;
}
