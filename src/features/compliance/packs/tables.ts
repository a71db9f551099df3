import type { Generated } from 'kysely';

export interface PackTables {
  evidence_keys: {
    id: Generated<boolean>;
    /** Base64 of the raw key. */
    public_key: string;
    /** PKCS #8 in base64, sealed. */
    sealed_private_key: string;
    created_at: Date;
  };
  evidence_packs: {
    id: string;
    project_id: string;
    created_at: Date;
    /** As downloaded. */
    content: Buffer;
    /** JSON: a `ListedPack`. */
    listed: string;
  };
}

declare module '../../../platform/postgres/tables.ts' {
  interface Tables extends PackTables {}
}
