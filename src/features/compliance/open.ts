import type { Feature, Platform } from '../../platform/feature/index.ts';
import { turnsOf } from '../../platform/budgets/index.ts';
import type { EvidencePorts } from './evidence/evidence-source.ts';
import { packRoutes } from './packs/pack-routes.ts';
import type { PacksContext } from './packs/packs-context.ts';
import { SigningKey } from './packs/signing-key.ts';
import { complianceRoutes } from './routes.ts';

export interface ComplianceFeature extends Feature {
  context: PacksContext;
}

/** The compliance frameworks, a static listing, and the evidence packs of projects. */
export function open(
  { postgres, clock, secret }: Pick<Platform, 'postgres' | 'clock' | 'secret'>,
  ports: EvidencePorts,
): ComplianceFeature {
  const db = postgres.db;
  const key = new SigningKey(db, clock, secret);
  const context: PacksContext = { db, records: postgres.db, clock, key, ports, turns: turnsOf('evidencePacks') };
  return {
    context,
    routes: (server) => {
      complianceRoutes(server);
      packRoutes(server, context);
    },
  };
}
