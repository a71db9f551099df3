import { ServiceError } from '../../contract/errors.ts';
import type { ConnectionUse, ModelConnectionRecord } from '../../contract/model-connections.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** Who uses a model connection. Each reader returns `id` and `name`, by name, at most 200. */
export interface UseReaders {
  /** Guardrails that name it. */
  guardrails: UsesOfName;
  /** Scenarios that name it. */
  scenarios: UsesOfName;
  /** Evaluators that refer to its id. @param db the database, or a transaction */
  evaluators(db: Database, projectId: string, connectionId: string): Promise<Used[]>;
}

/** @param db the database, or a transaction */
export type UsesOfName = (db: Database, projectId: string, connectionName: string) => Promise<Used[]>;

interface Used {
  id: string;
  name: string;
}

/** What uses a model connection by its name: a new name would leave it without one. */
export async function usesOfName(readers: UseReaders, db: Database, projectId: string, name: string): Promise<ConnectionUse[]> {
  // One after the other: a transaction runs one query at a time.
  const guardrails = await readers.guardrails(db, projectId, name);
  const scenarios = await readers.scenarios(db, projectId, name);
  return [
    ...guardrails.map((use) => ({ kind: 'guardrail' as const, ...use })),
    ...scenarios.map((use) => ({ kind: 'scenario' as const, ...use })),
  ];
}

/** Everything that uses a model connection. */
export async function usesOf(
  readers: UseReaders,
  db: Database,
  projectId: string,
  { id, name }: Pick<ModelConnectionRecord, 'id' | 'name'>,
): Promise<ConnectionUse[]> {
  const named = await usesOfName(readers, db, projectId, name);
  const evaluators = await readers.evaluators(db, projectId, id);
  return [...named, ...evaluators.map((use) => ({ kind: 'evaluator' as const, ...use }))];
}

/** Throws `connection_in_use` with `usedBy` unless nothing uses the connection. @param act what cannot be done: `deleted` */
export function refuseInUse(usedBy: readonly ConnectionUse[], act: string): void {
  if (usedBy.length === 0) return;
  const kinds = [...new Set(usedBy.map(({ kind }) => `${kind}s`))].join(', ');
  throw new ServiceError(
    'connection_in_use',
    `The model connection is in use by ${kinds}, and cannot be ${act}; choose another connection there first.`,
    { extra: { usedBy } },
  );
}
