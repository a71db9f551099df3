import type { Clock } from '../../platform/clock/clock.ts';
import type { Tenant } from '../../platform/http/index.ts';
import type { Database } from '../../platform/postgres/index.ts';
import type { Redaction } from '../guardrails/index.ts';
import type { OpenedTrace } from '../traces/index.ts';
import type { ShownTexts } from './shown/shown-texts.ts';

/** What shares need of other features. */
export interface SharesPorts {
  /** The tenant of a project, and whether its organization lets traces be shared; undefined for a project that there is not. */
  sharingOf(projectId: string): Promise<{ tenant: Tenant; sharedLinks: boolean } | undefined>;
  hasTrace(tenant: Tenant, traceId: string): Promise<boolean>;
  /** Errors: `not_found`. */
  openTrace(tenant: Tenant, traceId: string, payloads: boolean): Promise<OpenedTrace>;
  redactionOf(projectId: string): Promise<Redaction>;
}

/** Dependencies of the verbs of shares. */
export interface SharesContext extends SharesPorts {
  db: Database;
  clock: Clock;
  texts: Pick<ShownTexts, 'ids' | 'write'>;
  /** Scheme, host and port of links. */
  publicOrigin(): string;
}
