import type { Plan } from '../../contract/plans.ts';
import type { Feature, Platform } from '../../platform/feature/index.ts';
import type { Authenticator } from '../../platform/http/index.ts';
import { administrationRoutes } from './administration-routes.ts';
import { IdentityAuthenticator } from './authenticator.ts';
import { bootstrap } from './bootstrap.ts';
import type { FirstStart, FirstStartInput } from './bootstrap.ts';
import { identityContext } from './identity-context.ts';
import type { IdentityContext } from './identity-context.ts';
import { listProjectPlans, projectPage, projectsOf } from './projects.ts';
import { sessionRoutes } from './session-routes.ts';
import { forgetExpired } from './sign-in.ts';

export interface IdentityFeature extends Feature {
  context: IdentityContext;
  authenticator: Authenticator;
  /** What to print for the operator at the first start; null when the storage was not empty. */
  firstStart: FirstStart | null;
  /** Every project with the plan of its organization, for jobs. */
  projectPlans(): Promise<Array<{ organizationId: string; projectId: string; plan: Plan }>>;
  /** The path of a project's pages in the dashboard. @param db any database handle, or a transaction */
  projectPage(db: unknown, projectId: string): Promise<string>;
  /** The oldest projects of an organization. */
  projectsOf(organizationId: string, most: number): Promise<Array<{ id: string; name: string; slug: string }>>;
}

const forgetEveryMs = 10 * 60_000;

/** Users, organizations, projects and their keys. On empty storage creates the first of each. */
export async function open(
  { postgres, clock, publicOrigin }: Pick<Platform, 'postgres' | 'clock' | 'publicOrigin'>,
  firstStartInput: FirstStartInput,
): Promise<IdentityFeature> {
  const context = identityContext(postgres.db, clock);
  const firstStart = await postgres.withLock('spanwise-first-start', () => bootstrap(context, firstStartInput));
  return {
    context,
    authenticator: new IdentityAuthenticator(context.db, clock, context.keys),
    firstStart,
    projectPlans: () => listProjectPlans(context),
    projectPage: (db, projectId) => projectPage(db as IdentityContext['db'], projectId),
    projectsOf: (organizationId, most) => projectsOf(context, organizationId, most),
    routes: (server) => {
      sessionRoutes(server, context, publicOrigin);
      administrationRoutes(server, context);
    },
    jobs: [{ name: 'forget-expired', everyMs: forgetEveryMs, changes: ['postgres'], run: () => forgetExpired(context) }],
  };
}
