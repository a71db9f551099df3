import type { Feature, Platform } from '../../platform/feature/index.ts';
import { recordRetention } from './record-retention.ts';
import { auditRoutes } from './routes.ts';

export interface AuditFeature extends Feature {
  /** See {@link recordRetention}. */
  recordRetention(expired: Parameters<typeof recordRetention>[1]): ReturnType<typeof recordRetention>;
}

/** The audit log. The acting features write its entries with `recordAudit`. */
export function open({ postgres, clock }: Pick<Platform, 'postgres' | 'clock'>): AuditFeature {
  const context = { db: postgres.db, clock };
  return {
    routes: (server) => auditRoutes(server, context),
    recordRetention: (expired) => recordRetention(context, expired),
  };
}
