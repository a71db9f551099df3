import { ServiceError } from '../../contract/errors.ts';
import type { Feature, Platform } from '../../platform/feature/index.ts';
import { Turns } from '../../platform/jobs/turns.ts';
import type { EvidencePorts } from './evidence/evidence-source.ts';
import { packRoutes } from './packs/pack-routes.ts';
import type { PacksContext } from './packs/packs-context.ts';
import { SigningKey } from './packs/signing-key.ts';
import { complianceRoutes } from './routes.ts';

/** Requests for packs that are in progress or wait for their turn. */
const maxPacks = 20;

export interface ComplianceFeature extends Feature {
  context: PacksContext;
}

/** The compliance frameworks, a static listing, and the evidence packs of projects. */
export function open(
  { postgres, clock, secret }: Pick<Platform, 'postgres' | 'clock' | 'secret'>,
  ports: EvidencePorts,
): ComplianceFeature {
  const db = postgres.db as unknown as PacksContext['db'];
  const key = new SigningKey(db, clock, secret);
  const context: PacksContext = { db, records: postgres.db, clock, key, ports, turns: new Turns(maxPacks, tooManyPacks) };
  return {
    context,
    routes: (server) => {
      complianceRoutes(server);
      packRoutes(server, context);
    },
  };
}

function tooManyPacks(): ServiceError {
  return new ServiceError('unavailable', 'Many evidence packs are generated and verified now; send this again in a moment.', {
    retryAfterSeconds: 5,
  });
}
