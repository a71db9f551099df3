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

declare module '../../platform/postgres/tables.ts' {
  interface Tables extends ConnectionTables {}
}
