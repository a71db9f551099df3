import type { Clock } from '../../../platform/clock/clock.ts';
import type { Turns } from '../../../platform/budgets/index.ts';
import type { EvidencePorts } from '../evidence/evidence-source.ts';
import type { SigningKey } from './signing-key.ts';
import type { Database } from '../../../platform/postgres/index.ts';

/** Dependencies of the verbs of evidence packs. */
export interface PacksContext {
  db: Database;
  /** The same database, for reads of other features' tables. */
  records: Database;
  clock: Clock;
  key: SigningKey;
  ports: EvidencePorts;
  /** Packs are generated and verified one after another, since each reads an audit log from end to end. */
  turns: Turns;
}
