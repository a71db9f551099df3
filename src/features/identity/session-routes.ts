import { z } from 'zod';
import {
  currentSession,
  listQuery,
  loginBody,
  passwordBody,
  tokenBody,
  tokenCreated,
  tokenPage,
  user,
  whoami,
} from '../../contract/identity.ts';
import { hashSecret } from '../../platform/crypto/secrets.ts';
import { keyOf, route, sessionSecretOf, userActorOf, userOf } from '../../platform/http/index.ts';
import { goneSignal } from '../../platform/request-scope/index.ts';
import type { Server } from '../../platform/http/index.ts';
import { changePassword } from './change-password.ts';
import type { IdentityContext } from './identity-context.ts';
import { browserCookie } from './known-browsers.ts';
import { mayCreateOrganizations } from './organization-creation.ts';
import { sessionCookies } from './session-cookies.ts';
import { browserOf, organizationsOf, signIn, signOut } from './sign-in.ts';
import { createToken, listTokens, revokeToken } from './tokens.ts';

/** Signing in and out, the current session, personal tokens, and the identity of an API key (docs/semantics.md, "Sessions and personal tokens"). */
export function sessionRoutes(app: Server, context: IdentityContext): void {
  const tags = ['identity'];
  const { setCookie, rememberBrowser, clearCookie } = sessionCookies(context.accounts);

  route(app, 'POST', '/v1/auth/login', {
    access: { who: 'public' },
    limits: 'signIn',
    tags,
    summary: 'Sign in',
    body: loginBody,
    answer: z.object({ user }),
    errors: [401, 429],
    handle: async (request, reply) => {
      const {
        user: signedIn,
        secret,
        browser,
      } = await signIn(context, request.body, {
        address: request.ip,
        browser: request.cookies[browserCookie],
        signal: goneSignal(reply.raw),
      });
      setCookie(reply, secret);
      rememberBrowser(reply, browser);
      return { user: signedIn };
    },
  });
  route(app, 'POST', '/v1/auth/logout', {
    access: { who: 'public', byCookie: true },
    tags,
    summary: 'Sign out',
    answer: 204,
    errors: [403],
    handle: async (request, reply) => {
      const secret = sessionSecretOf(request);
      if (secret !== undefined) await signOut(context, hashSecret(secret));
      clearCookie(reply);
    },
  });
  route(app, 'GET', '/v1/auth/session', {
    access: { who: 'session', scope: 'user', anonymous: 401 },
    tags,
    summary: 'Who is signed in',
    answer: currentSession,
    handle: async (request, reply) => {
      const { userId, email, name, via } = userOf(request);
      // The session's expiry was extended: extend the cookie's too.
      const secret = sessionSecretOf(request);
      if (via === 'session' && secret !== undefined) {
        setCookie(reply, secret);
        // It signed in before this cookie was there.
        if (request.cookies[browserCookie] === undefined) rememberBrowser(reply, browserOf(context, email));
      }
      return {
        user: { id: userId, email, name },
        mayCreateOrganizations: await mayCreateOrganizations(context, userId),
        organizations: await organizationsOf(context, userId),
      };
    },
  });
  route(app, 'POST', '/v1/me/password', {
    access: { who: 'session', scope: 'user', tokens: false },
    tags,
    summary: 'Change your password',
    description:
      'Ends your other sessions; this one and your personal access tokens stay valid. A wrong current password is 400 and counts as a failed sign-in: 429 after 10 in 15 minutes for one account and address.',
    body: passwordBody,
    answer: 204,
    errors: [429],
    handle: async (request) => {
      const { sessionId } = userOf(request);
      if (sessionId === null) throw new Error('the route is for sessions alone');
      await changePassword(context, { user: userActorOf(request), sessionId, address: request.ip }, request.body);
    },
  });
  route(app, 'POST', '/v1/me/tokens', {
    // A token that leaked must not outlive its deletion in another.
    access: { who: 'session', scope: 'user', tokens: false },
    tags,
    summary: 'Create a personal access token',
    body: tokenBody,
    answer: [201, tokenCreated],
    errors: [409],
    handle: (request) => createToken(context, userActorOf(request), request.body),
  });
  route(app, 'GET', '/v1/me/tokens', {
    access: { who: 'session', scope: 'user' },
    tags,
    summary: 'List your personal access tokens',
    query: listQuery,
    answer: tokenPage,
    handle: (request) => listTokens(context, userOf(request).userId, request.query),
  });
  route(app, 'DELETE', '/v1/me/tokens/:tokenId', {
    access: { who: 'session', scope: 'user' },
    tags,
    summary: 'Delete a personal access token',
    params: z.object({ tokenId: z.string() }),
    answer: 204,
    handle: (request) => revokeToken(context, userActorOf(request), request.params.tokenId),
  });
  route(app, 'GET', '/v1/sdk/whoami', {
    access: { who: 'key', keyScopes: 'any' },
    tags,
    summary: 'The project that an API key belongs to',
    answer: whoami,
    handle: (request) => {
      const { kind: _, scopes, ...identity } = keyOf(request);
      return { ...identity, scopes: scopes && [...scopes] };
    },
  });
}
