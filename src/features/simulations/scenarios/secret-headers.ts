import { ServiceError } from '../../../contract/errors.ts';
import { hiddenHeader, isSecretHeader } from '../../../contract/simulations.ts';
import type { ScenarioTarget } from '../../../contract/simulations.ts';
import { SealBroken } from '../../../platform/crypto/secret-box.ts';
import type { SecretBox } from '../../../platform/crypto/secret-box.ts';
import { jsonPointer } from '../../../platform/json/index.ts';

/** Values of secret headers by lower-case name. */
export type SecretHeaders = Readonly<Record<string, string>>;

/** A target without its secrets, and its secrets. */
export interface SeparatedTarget {
  /** With `***` for the values of secret headers. */
  shown: ScenarioTarget;
  secrets: SecretHeaders;
}

/**
 * Separates the secret headers of a target from it. A secret header given as `***` keeps its stored value.
 *
 * @param stored the target before, and its secrets; null for a new scenario
 *
 * Errors: `invalid_request` for a `***` without a stored value, or where the URL's origin changes.
 */
export function separateSecrets(target: ScenarioTarget, stored: SeparatedTarget | null): SeparatedTarget {
  if (target.type !== 'http') return { shown: target, secrets: {} };
  const headers: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  const keeps = stored?.shown.type === 'http' && new URL(stored.shown.url).origin === new URL(target.url).origin;
  for (const [name, value] of Object.entries(target.headers)) {
    const lower = name.toLowerCase();
    headers[name] = isSecretHeader(lower) ? hiddenHeader : value;
    if (!isSecretHeader(lower)) continue;
    const secret = value !== hiddenHeader ? value : keeps ? stored.secrets[lower] : undefined;
    if (secret === undefined) throw mustBeGiven(name, stored !== null && stored.secrets[lower] !== undefined);
    secrets[lower] = secret;
  }
  return { shown: { ...target, headers }, secrets };
}

function mustBeGiven(name: string, otherOrigin: boolean): ServiceError {
  const why = otherOrigin ? 'the URL has another origin now' : `${hiddenHeader} stands for a stored value, and there is none`;
  return new ServiceError('invalid_request', `Give the value of the header ${name}: ${why}.`, {
    details: [{ path: `/target/headers${jsonPointer([name])}`, message: 'must be given' }],
  });
}

/** The stored form of secrets; null without any. @param owner the scenario's id */
export function sealSecrets(box: SecretBox, secrets: SecretHeaders, owner: string): string | null {
  return Object.keys(secrets).length === 0 ? null : box.seal(JSON.stringify(secrets), owner);
}

/** Opens stored secrets. Errors: `SealBroken`. */
export function openSecrets(box: SecretBox, sealed: string | null, owner: string): SecretHeaders {
  return sealed === null ? {} : (JSON.parse(box.open(sealed, owner)) as SecretHeaders);
}

/** The stored secrets, or none when another installation's secret sealed them: they have to be given anew. */
export function readableSecrets(box: SecretBox, sealed: string | null, owner: string): SecretHeaders {
  try {
    return openSecrets(box, sealed, owner);
  } catch (error) {
    if (error instanceof SealBroken) return {};
    throw error;
  }
}
