import type { Generated } from 'kysely';

interface ShareTables {
  shares: {
    id: string;
    project_id: string;
    trace_id: string;
    token_sha256: Buffer;
    payloads: boolean;
    redact: boolean;
    created_at: Date;
    expires_at: Date;
    views: Generated<number>;
  };
}

declare module '../../platform/postgres/tables.ts' {
  interface Tables extends ShareTables {}
}
