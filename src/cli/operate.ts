import { join } from 'node:path';
import { configOfProcess } from '../config.ts';
import { askService, BackupError } from '../features/backup/index.ts';
import { identityContext, operate } from '../features/identity/index.ts';
import type { OperatorOperation, OperatorOperations } from '../features/identity/index.ts';
import { systemClock } from '../platform/clock/clock.ts';
import { withPostgres } from './with-postgres.ts';

/**
 * Runs an operation of an operator: in the running service, where that has the embedded database, else on the database itself. Ends the process with
 * status 1 and a sentence where the service refuses.
 */
export async function operateAnywhere<Name extends OperatorOperation>(
  name: Name,
  input: OperatorOperations[Name]['input'],
): Promise<OperatorOperations[Name]['result']> {
  const { databaseUrl, dataDirectory, publicUrl, host, port, defaultPlan } = configOfProcess();
  if (databaseUrl === null) {
    try {
      const answer = await askService(join(dataDirectory, 'control.sock'), name, input);
      if (answer !== null) return answer.result as OperatorOperations[Name]['result'];
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      console.error(`spanwise: ${error.message}`);
      process.exit(1);
    }
  }
  const publicOrigin = () => new URL(publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`).origin;
  return withPostgres((postgres) =>
    operate(identityContext(postgres.db, systemClock, { accounts: { publicOrigin, defaultPlan } }), name, input),
  );
}
