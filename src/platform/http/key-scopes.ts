import type { FastifyRequest } from 'fastify';
import type { KeyScopes } from './access.ts';
import { forbidden } from './request-access.ts';

/** Whether the caller may do what needs one of `needed`; users and keys without scopes may (docs/semantics.md, "Scopes of API keys"). */
export function hasScope({ access: { caller } }: FastifyRequest, needed: KeyScopes | undefined): boolean {
  if (caller?.kind !== 'key' || caller.scopes === null || needed === 'any') return true;
  return isList(needed) && needed.some((scope) => caller.scopes?.includes(scope));
}

/**
 * Checks that the caller has one of the scopes, and notes the use: of the scopes that it has, the first of `needed`; of a key without scopes the first of all.
 *
 * Errors: `forbidden`, which names the scopes.
 */
export function requireScope(request: FastifyRequest, needed: KeyScopes | undefined): void {
  if (!hasScope(request, needed)) throw lackingScope(needed);
  const { caller, noteScope } = request.access;
  if (caller?.kind !== 'key' || !isList(needed)) return;
  const { scopes } = caller;
  const used = scopes === null ? needed[0] : needed.find((scope) => scopes.includes(scope));
  if (used !== undefined) noteScope?.(used);
}

/** The refusal of a key without one of the scopes. */
export function lackingScope(needed: KeyScopes | undefined): ReturnType<typeof forbidden> {
  if (!isList(needed)) return forbidden('No scope of an API key permits this; use an API key without scopes, or sign in.');
  return forbidden(`This API key lacks the scope ${needed.join(' or ')}; add it in the project settings, or use another key.`);
}

function isList(needed: KeyScopes | undefined): needed is Exclude<KeyScopes, string> {
  return typeof needed === 'object';
}
