import * as wire from '../../contract/identity.ts';
import { route, whoeverOf } from '../../platform/http/index.ts';
import type { Server } from '../../platform/http/index.ts';
import type { IdentityContext } from './identity-context.ts';
import { acceptInvitation } from './invitations/accept-invitation.ts';
import { findInvitation } from './invitations/find-invitation.ts';
import { forgotPassword } from './passwords/forgot-password.ts';
import { resetByLink } from './passwords/reset-password.ts';
import { sessionCookies } from './session-cookies.ts';

const tags = ['identity'];
/** The secret of a link is in the body, since paths and queries end up in logs of proxies. */

/** What people do with the link of an invitation or of a lost password, without being signed in (docs/semantics.md, "Invitations", "Lost passwords"). */
export function linkRoutes(app: Server, context: IdentityContext): void {
  const { setCookie } = sessionCookies(context.accounts);
  route(app, 'POST', '/v1/invitations/look-up', {
    access: { who: 'public' },
    tags,
    summary: 'What an invitation is for',
    body: wire.linkBody,
    answer: wire.invitationSeen,
    errors: [404, 429],
    handle: async (request) => {
      const { organizationName, email, role, expiresAt } = await findInvitation(context, request.body.token);
      return { organizationName, email, role, expiresAt };
    },
  });
  route(app, 'POST', '/v1/invitations/accept', {
    access: { who: 'public', byCookie: true, whoever: true },
    tags,
    summary: 'Accept an invitation',
    description:
      'A new person sets a password and is signed in. Who has an account must be signed in as it: nobody 401, another 403. Where somebody else chose its password, a new one is asked for (400), which ends its sessions and tokens.',
    body: wire.acceptanceBody,
    answer: wire.accepted,
    errors: [401, 403, 404, 409, 429],
    handle: async (request, reply) => {
      const { user, secret } = await acceptInvitation(context, whoeverOf(request), request.body);
      if (secret !== null) setCookie(reply, secret);
      return { user };
    },
  });
  route(app, 'POST', '/v1/auth/forgot', {
    access: { who: 'public' },
    tags,
    summary: 'Ask for a link that sets a new password',
    description: 'The same answer for every email. Where no mail is configured, nothing is sent: an operator resets passwords.',
    body: wire.forgotBody,
    answer: [202, wire.forgotten],
    errors: [429],
    handle: async (request, reply) => {
      reply.code(202);
      return forgotPassword(context, request.body);
    },
  });
  route(app, 'POST', '/v1/auth/reset', {
    access: { who: 'public' },
    tags,
    summary: 'Set a new password with a mailed link',
    description: 'Ends the sessions and personal tokens of the account.',
    body: wire.resetBody,
    answer: 204,
    errors: [404, 429],
    handle: (request) => resetByLink(context, request.body),
  });
}
