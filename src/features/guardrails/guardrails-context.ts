import type { ChangeFeed, Database } from '../../platform/postgres/index.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { ConfigCheck } from './config-check/config-check.ts';

/** Dependencies of the verbs of records. */
export interface GuardrailsContext {
  db: Database;
  changeFeed: ChangeFeed;
  clock: Clock;
  configCheck: Pick<ConfigCheck, 'measure'>;
  /** Whether a project has a model connection of this name. */
  hasConnectionNamed(projectId: string, name: string): Promise<boolean>;
}
