import type { OrganizationCreation } from '../../contract/identity.ts';
import type { Plan } from '../../contract/plans.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { Mailer } from '../../platform/mail/index.ts';
import { ApiKeyCache } from './api-key-cache.ts';
import { signInLimits } from './sign-in-limits.ts';
import type { SignInLimits, SignInPlatform } from './sign-in-limits.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** The operator's settings of accounts and organizations. */
export interface AccountSettings {
  /** Scheme, host and port of links. */
  publicOrigin(): string;
  /** Sends links; null: this installation sends no mail. */
  mailer: Pick<Mailer, 'send'> | null;
  /** Who may create organizations through the API. */
  organizationCreation: OrganizationCreation;
  /** Of a further organization. */
  defaultPlan: Plan;
}

/** Dependencies of identity's verbs. */
export interface IdentityContext {
  db: Database;
  clock: Clock;
  keys: ApiKeyCache;
  signInLimits: SignInLimits;
  accounts: AccountSettings;
}

const defaults: AccountSettings = {
  publicOrigin: () => '',
  mailer: null,
  organizationCreation: 'owners',
  defaultPlan: 'scale',
};

/** The context over the relational database. @param options of a running service; a command needs none */
export function identityContext(
  db: Database,
  clock: Clock,
  { accounts, ...platform }: Partial<SignInPlatform> & { accounts?: Partial<AccountSettings> } = {},
): IdentityContext {
  return {
    db,
    clock,
    keys: new ApiKeyCache(db, clock),
    signInLimits: signInLimits(clock, platform),
    accounts: { ...defaults, ...accounts },
  };
}

/** The current time as a column value. */
export function nowOf(context: { clock: Clock }): Date {
  return new Date(context.clock.now());
}
