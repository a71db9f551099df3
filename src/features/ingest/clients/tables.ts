import type { ColumnType } from 'kysely';
import type { ClientKind } from '../../../contract/ingest.ts';

export interface ClientTables {
  ingest_clients: {
    project_id: string;
    day: ColumnType<string, string, never>;
    kind: ClientKind;
    client: string;
    version: string;
    scope: string;
    code: string;
    events: number;
    last_seen_at: Date;
  };
  ingest_client_instances: {
    project_id: string;
    instance: string;
    client: string;
    version: string;
    queue_full: number;
    too_old: number;
    refused: number;
    last_seen_at: Date;
  };
}

declare module '../../../platform/postgres/tables.ts' {
  interface Tables extends ClientTables {}
}
