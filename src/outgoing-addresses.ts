import { sql } from 'kysely';
import type { AllowedAddresses } from './platform/net/index.ts';
import type { Database } from './platform/postgres/index.ts';

export interface OutgoingSettings {
  /** CIDR blocks beside public addresses. */
  outgoingAllow: readonly string[];
  /** Whether they hold only while there is one organization. */
  outgoingAllowWhileAlone: boolean;
}

const none: readonly string[] = [];

/**
 * Where requests to model connections and webhooks may go (docs/semantics.md, "Outgoing addresses"). What is allowed by default ends with the second
 * organization: from then on users of the service need not be those of the machine. That is looked up before each request until it has happened.
 */
export function outgoingAddresses(db: Database, { outgoingAllow, outgoingAllowWhileAlone }: OutgoingSettings): AllowedAddresses {
  if (!outgoingAllowWhileAlone || outgoingAllow.length === 0) return { allowed: outgoingAllow };
  let allowed = outgoingAllow;
  return {
    get allowed() {
      return allowed;
    },
    refresh: async () => {
      if (allowed === none) return;
      const { rows } = await sql`SELECT 1 FROM organizations LIMIT 2`.execute(db);
      if (rows.length > 1) allowed = none;
    },
  };
}
