import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { errorBody } from '../../contract/common.ts';
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
import { keyOf, sessionCookie, userActorOf, userOf } from '../../platform/http/index.ts';
import type { Server } from '../../platform/http/index.ts';
import { sessionDays } from './authenticator.ts';
import { changePassword } from './change-password.ts';
import type { IdentityContext } from './identity-context.ts';
import { organizationsOf, signIn, signOut } from './sign-in.ts';
import { createToken, listTokens, revokeToken } from './tokens.ts';

/** Signing in and out, the current session, personal tokens, and the identity of an API key (docs/semantics.md, "Sessions and personal tokens"). */
export function sessionRoutes(app: Server, context: IdentityContext, publicOrigin: () => string): void {
  const tags = ['identity'];
  const setCookie = (reply: FastifyReply, secret: string, maxAge: number) =>
    reply.setCookie(sessionCookie, secret, {
      httpOnly: true,
      sameSite: 'lax',
      path: '/',
      secure: publicOrigin().startsWith('https:') || reply.request.protocol === 'https',
      maxAge,
    });

  app.post(
    '/v1/auth/login',
    {
      config: { access: { who: 'public' } },
      schema: {
        tags,
        summary: 'Sign in',
        body: loginBody,
        response: { 200: z.object({ user }), 401: errorBody, 429: errorBody },
      },
    },
    async (request, reply) => {
      const { user: signedIn, secret } = await signIn(context, request.body, request.ip);
      setCookie(reply, secret, sessionDays * 86_400);
      return { user: signedIn };
    },
  );
  app.post(
    '/v1/auth/logout',
    {
      config: { access: { who: 'public', byCookie: true } },
      schema: { tags, summary: 'Sign out', response: { 204: z.null(), 403: errorBody } },
    },
    async (request, reply) => {
      const secret = request.cookies[sessionCookie];
      if (secret !== undefined) await signOut(context, hashSecret(secret));
      setCookie(reply, '', 0);
      return reply.code(204).send(null);
    },
  );
  app.get(
    '/v1/auth/session',
    {
      config: { access: { who: 'session', scope: 'user', anonymous: 401 } },
      schema: { tags, summary: 'Who is signed in', response: { 200: currentSession, 401: errorBody } },
    },
    async (request, reply) => {
      const { userId, email, name, via } = userOf(request);
      // The session's expiry was extended: extend the cookie's too.
      const secret = request.cookies[sessionCookie];
      if (via === 'session' && secret !== undefined) setCookie(reply, secret, sessionDays * 86_400);
      return { user: { id: userId, email, name }, organizations: await organizationsOf(context, userId) };
    },
  );
  app.post(
    '/v1/me/password',
    {
      config: { access: { who: 'session', scope: 'user', tokens: false } },
      schema: {
        tags,
        summary: 'Change your password',
        description:
          'Ends your other sessions; this one and your personal access tokens stay valid. A wrong current password is 400 and counts as a failed sign-in: 429 after 10 in 15 minutes for one account and address.',
        body: passwordBody,
        response: { 204: z.null(), 400: errorBody, 403: errorBody, 429: errorBody },
      },
    },
    async (request, reply) => {
      const { sessionId } = userOf(request);
      if (sessionId === null) throw new Error('the route is for sessions alone');
      await changePassword(context, { user: userActorOf(request), sessionId, address: request.ip }, request.body);
      return reply.code(204).send(null);
    },
  );
  app.post(
    '/v1/me/tokens',
    {
      config: { access: { who: 'session', scope: 'user' } },
      schema: { tags, summary: 'Create a personal access token', body: tokenBody, response: { 201: tokenCreated } },
    },
    async (request, reply) => {
      reply.code(201);
      return createToken(context, userActorOf(request), request.body);
    },
  );
  app.get(
    '/v1/me/tokens',
    {
      config: { access: { who: 'session', scope: 'user' } },
      schema: { tags, summary: 'List your personal access tokens', querystring: listQuery, response: { 200: tokenPage } },
    },
    (request) => listTokens(context, userOf(request).userId, request.query),
  );
  app.delete(
    '/v1/me/tokens/:tokenId',
    {
      config: { access: { who: 'session', scope: 'user' } },
      schema: {
        tags,
        summary: 'Delete a personal access token',
        params: z.object({ tokenId: z.string() }),
        response: { 204: z.null(), 404: errorBody },
      },
    },
    async (request, reply) => {
      await revokeToken(context, userActorOf(request), request.params.tokenId);
      return reply.code(204).send(null);
    },
  );
  app.get(
    '/v1/sdk/whoami',
    {
      config: { access: { who: 'key' } },
      schema: { tags, summary: 'The project that an API key belongs to', response: { 200: whoami, 401: errorBody } },
    },
    (request) => {
      const { kind: _, ...identity } = keyOf(request);
      return identity;
    },
  );
}
