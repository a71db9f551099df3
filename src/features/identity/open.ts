import type { OrganizationCreation } from '../../contract/identity.ts';
import type { Plan } from '../../contract/plans.ts';
import type { Feature, Platform } from '../../platform/feature/index.ts';
import type { Authenticator, Tenant } from '../../platform/http/index.ts';
import { Mailer } from '../../platform/mail/index.ts';
import { administrationRoutes } from './administration-routes.ts';
import { IdentityAuthenticator } from './authenticator.ts';
import { bootstrap } from './bootstrap.ts';
import type { FirstStart, FirstStartInput } from './bootstrap.ts';
import { forgetOldLinks } from './forget-old-links.ts';
import { closeGivenPasswords } from './given-passwords.ts';
import { identityContext } from './identity-context.ts';
import type { IdentityContext } from './identity-context.ts';
import { invitationRoutes } from './invitation-routes.ts';
import { linkRoutes } from './link-routes.ts';
import { sendAccountMail } from './mail/send-account-mail.ts';
import { listProjectPlans, projectPage, projectsOf, sharingOf } from './projects.ts';
import { sessionRoutes } from './session-routes.ts';
import { forgetExpired } from './sign-in.ts';
import type { SignInPlatform } from './sign-in-limits.ts';
import type { Database } from '../../platform/postgres/index.ts';

export interface IdentityFeature extends Feature {
  context: IdentityContext;
  authenticator: Authenticator;
  /** What to print for the operator at the first start; null when the storage was not empty. */
  firstStart: FirstStart | null;
  /** Every project with the plan of its organization, for jobs. */
  projectPlans(): Promise<Array<{ organizationId: string; projectId: string; plan: Plan }>>;
  /** The path of a project's pages in the dashboard. @param db the database, or a transaction */
  projectPage(db: Database, projectId: string): Promise<string>;
  /** See {@link sharingOf}. */
  sharingOf(projectId: string): Promise<{ tenant: Tenant; sharedLinks: boolean } | undefined>;
  /** The oldest projects of an organization. */
  projectsOf(organizationId: string, most: number): Promise<Array<{ id: string; name: string; slug: string }>>;
}

export interface IdentitySettings extends FirstStartInput {
  /** See {@link MailSettings}; null: links are handed over by who invites. */
  smtpUrl: string | null;
  mailFrom: string | null;
  organizationCreation: OrganizationCreation;
  /** Of a further organization. */
  defaultPlan: Plan;
  /** See {@link SignInPlatform}. */
  holdRefusedMs?: number;
}

const forgetEveryMs = 10 * 60_000;
const mailEveryMs = 2_000;

/** Users, organizations, projects and their keys. On empty storage creates the first of each. */
export async function open(
  {
    postgres,
    clock,
    publicOrigin,
    ...platform
  }: Pick<Platform, 'postgres' | 'clock' | 'publicOrigin' | 'log'> & Partial<SignInPlatform>,
  { smtpUrl, mailFrom, organizationCreation, defaultPlan, holdRefusedMs = 0, ...firstStartInput }: IdentitySettings,
): Promise<IdentityFeature> {
  const { log } = platform;
  const mailer = smtpUrl === null || mailFrom === null ? null : new Mailer({ smtpUrl, from: mailFrom });
  const accounts = { publicOrigin, mailer, organizationCreation, defaultPlan };
  const context = identityContext(postgres.db, clock, { ...platform, holdRefusedMs, accounts });
  const firstStart = await postgres.withLock('spanwise-first-start', async () => {
    const closed = await closeGivenPasswords(context);
    if (closed > 0)
      log.warn(
        { memberships: closed },
        'members whose password another organization chose must accept an invitation: Settings, Members lists them (docs/semantics.md, "Invitations")',
      );
    return bootstrap(context, firstStartInput);
  });
  const forget = async () => {
    await forgetExpired(context);
    await forgetOldLinks(context);
  };
  const mailJob = (sender: Mailer) => ({
    name: 'account-mail',
    everyMs: mailEveryMs,
    changes: ['postgres'] as const,
    run: (signal: AbortSignal) =>
      sendAccountMail(context, sender, signal, (error) => log.warn({ err: error }, 'a mail with a link could not be sent')),
  });
  return {
    context,
    authenticator: new IdentityAuthenticator(context.db, clock, context.keys, context.signInLimits),
    firstStart,
    projectPlans: () => listProjectPlans(context),
    projectPage: (db, projectId) => projectPage(db as IdentityContext['db'], projectId),
    sharingOf: (projectId) => sharingOf(context, projectId),
    projectsOf: (organizationId, most) => projectsOf(context, organizationId, most),
    routes: (server) => {
      sessionRoutes(server, context);
      linkRoutes(server, context);
      administrationRoutes(server, context);
      invitationRoutes(server, context);
    },
    jobs: [
      { name: 'forget-expired', everyMs: forgetEveryMs, changes: ['postgres'], run: forget },
      ...(mailer === null ? [] : [mailJob(mailer)]),
    ],
    close: async () => {
      await Promise.all(context.signInLimits.recording);
      await mailer?.close();
    },
  };
}
