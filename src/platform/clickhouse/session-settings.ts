import type { createClient } from '@clickhouse/client';
import type { createChdbConnection } from 'chdb/connection';

/** A connection as the client takes it. */
export type ClientConnection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>;

type Settings = Readonly<Record<string, unknown>>;
type Statement = (parameters: { clickhouse_settings?: Settings }) => Promise<unknown>;

const statements: ReadonlySet<string | symbol> = new Set(['query', 'command', 'exec', 'insert']);
/** chDB takes this one as an option of the statement, not as a setting of the session. */
const perStatement = 'default_format';

/**
 * A connection of the embedded engine that sets a setting only when its value changes. chDB sends each setting of a statement as a `SET` statement of its own,
 * 0.1 ms of CPU each, and its session keeps them. After a failed statement all of them are set again.
 */
export function withoutRepeatedSettings(connection: ReturnType<typeof createChdbConnection>): ClientConnection {
  const current = new Map<string, unknown>();
  const run = async (statement: Statement, parameters: Parameters<Statement>[0]) => {
    const changed = Object.entries(parameters.clickhouse_settings ?? {}).filter(
      ([name, value]) => name === perStatement || current.get(name) !== value,
    );
    try {
      const result = await statement.call(connection, { ...parameters, clickhouse_settings: Object.fromEntries(changed) });
      for (const [name, value] of changed) current.set(name, value);
      return result;
    } catch (error) {
      current.clear();
      throw error;
    }
  };
  const wrapped = new Proxy(connection, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (!statements.has(name)) return value.bind(target) as unknown;
      return (parameters: Parameters<Statement>[0]) => run(value as Statement, parameters);
    },
  });
  // The two packages each declare the connection's types; they are the same at run time.
  return wrapped as unknown as ClientConnection;
}
