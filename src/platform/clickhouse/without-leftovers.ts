import { buffer } from 'node:stream/consumers';
import type { createChdbConnection } from 'chdb/connection';

type Connection = ReturnType<typeof createChdbConnection>;
type Statement = (...parameters: unknown[]) => Promise<unknown>;

const statements: ReadonlySet<string | symbol> = new Set(['query', 'command', 'exec', 'insert']);

const probe = 'SELECT 1 AS clean FORMAT JSONEachRow';
const probed = '{"clean":1}\n';
/** After one failed statement the first probe takes the rows, and the second finds none. */
const mostProbes = 4;

/**
 * A connection of the embedded engine that answers with the rows of the statement alone. chDB keeps the rows that a failed or ended statement had already written, and
 * puts them before those of the connection's next statement, whatever project that is for (docs/adr/0030). They are taken away before the failed statement
 * rejects; a connection from which they cannot be taken runs no further statement.
 */
export function withoutLeftovers(connection: Connection): Connection {
  let isClean = true;
  const clean = async () => {
    for (let probes = 0; !isClean && probes < mostProbes; probes++) {
      const { stream } = await connection.query({ query: probe });
      isClean = (await buffer(stream)).equals(Buffer.from(probed));
    }
    if (!isClean) throw new Error('a connection of the embedded engine keeps rows of an earlier statement');
  };
  const run = async (statement: Statement, parameters: unknown[]) => {
    await clean();
    try {
      return await statement.apply(connection, parameters);
    } catch (error) {
      isClean = false;
      // Where this fails, the next statement tries again.
      await clean().catch(() => undefined);
      throw error;
    }
  };
  return new Proxy(connection, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return statements.has(name)
        ? (...parameters: unknown[]) => run(value as Statement, parameters)
        : (value.bind(target) as unknown);
    },
  });
}
