import type { Selectable } from 'kysely';
import { ServiceError } from '../../contract/errors.ts';
import type { ModelConnectionRecord } from '../../contract/model-connections.ts';
import { isUniqueViolation } from '../../platform/postgres/index.ts';
import type { ConnectionTables } from './tables.ts';

export type ConnectionRow = Selectable<ConnectionTables['model_connections']>;

/** A connection as the API returns it: with `hasKey`, without the key. */
export function recordOf(row: ConnectionRow): ModelConnectionRecord {
  return {
    id: row.id,
    name: row.name,
    baseUrl: row.base_url,
    model: row.model,
    hasKey: row.sealed_key !== null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export function noSuchConnection(): ServiceError {
  return new ServiceError('not_found', 'There is no such model connection in this project; list them to see which there are.');
}

/** Runs a write; throws `conflict` where another connection of the project has the name. */
export async function underFreeName<T>(name: string, store: () => Promise<T>): Promise<T> {
  try {
    return await store();
  } catch (error) {
    if (!isUniqueViolation(error, 'model_connections_name')) throw error;
    throw new ServiceError('conflict', `This project has a model connection named ${name} already; choose another name.`, {
      cause: error,
    });
  }
}
