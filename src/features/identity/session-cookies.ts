import type { FastifyReply } from 'fastify';
import { hostSessionCookie, sessionCookie } from '../../platform/http/index.ts';
import { sessionDays } from './authenticator.ts';
import { browserCookie, browserSeconds } from './known-browsers.ts';

export interface SessionCookies {
  /** Gives the browser a session, or extends the one that it has. */
  setCookie(reply: FastifyReply, secret: string): void;
  /** Lets the browser show later who last signed in with it. */
  rememberBrowser(reply: FastifyReply, value: string): void;
  /** Takes the session from the browser. */
  clearCookie(reply: FastifyReply): void;
}

/** Writes the session cookie: behind TLS under the name with the prefix `__Host-`, which replaces the one without (docs/semantics.md, "Sessions and personal tokens"). */
export function sessionCookies({ publicOrigin }: { publicOrigin(): string }): SessionCookies {
  const isSecure = (reply: FastifyReply) => publicOrigin().startsWith('https:') || reply.request.protocol === 'https';
  const write = (reply: FastifyReply, name: string, secret: string, maxAge: number) => {
    reply.setCookie(name, secret, { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure(reply), maxAge });
  };
  const forgetOldName = (reply: FastifyReply) => {
    if (reply.request.cookies[sessionCookie] !== undefined) write(reply, sessionCookie, '', 0);
  };
  return {
    setCookie: (reply, secret) => {
      const secure = isSecure(reply);
      write(reply, secure ? hostSessionCookie : sessionCookie, secret, sessionDays * 86_400);
      if (secure) forgetOldName(reply);
    },
    rememberBrowser: (reply, value) => write(reply, browserCookie, value, browserSeconds),
    clearCookie: (reply) => {
      if (!isSecure(reply)) return write(reply, sessionCookie, '', 0);
      write(reply, hostSessionCookie, '', 0);
      forgetOldName(reply);
    },
  };
}
