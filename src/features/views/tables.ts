import type { GeneratedAlways } from 'kysely';
import type { ViewRecord } from '../../contract/views.ts';

export interface ViewTables {
  views: {
    id: string;
    project_id: string;
    name: string;
    subject: ViewRecord['on'];
    filter: string;
    columns: string[];
    sort: string | null;
    range: string | null;
    visibility: ViewRecord['visibility'];
    pinned: boolean;
    place: GeneratedAlways<number>;
    owner_id: string;
    created_by: string;
    created_at: Date;
    updated_at: Date;
  };
}

declare module '../../platform/postgres/tables.ts' {
  interface Tables extends ViewTables {}
}
