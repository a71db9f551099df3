import { retentionCutoff } from '../../contract/plans.ts';
import type { UserActor } from '../../contract/actor.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { Tenant } from '../../platform/http/index.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** Dependencies of the verbs. */
export interface CommentsContext {
  db: Database;
  clickhouse: ClickHouse;
  clock: Clock;
  /** Whether people who are mentioned get mail. */
  mailed: boolean;
  /** Called when a comment could not be written to ClickHouse at once; the job writes it. */
  onUnwritten(error: unknown): void;
}

/** Who acts on a comment. */
export interface CommentActor {
  tenant: Tenant;
  actor: UserActor;
  /** Whether they are an owner or admin. */
  administers: boolean;
}

/** Comments that were written before are read by nobody (docs/semantics.md, "Retention edge"). */
export function oldestComment({ clock }: Pick<CommentsContext, 'clock'>, { plan }: Pick<Tenant, 'plan'>): Date {
  return new Date(retentionCutoff(plan, clock.now()));
}
