import { ServiceError } from '../../../contract/errors.ts';
import { hiddenHeader as hidden, isSecretHeader } from '../../../contract/simulations.ts';
import type { HttpTarget, ScenarioTarget } from '../../../contract/simulations.ts';
import { SealBroken } from '../../../platform/crypto/secret-box.ts';
import type { SecretBox } from '../../../platform/crypto/secret-box.ts';
import { jsonPointer } from '../../../platform/json/index.ts';

/** What of a target is kept encrypted. */
export interface TargetSecrets {
  /** Values of secret headers by lower-case name. */
  headers: Readonly<Record<string, string>>;
  /** Values of `{{secret.name}}` by name. */
  named: Readonly<Record<string, string>>;
}

export const noSecrets: TargetSecrets = { headers: {}, named: {} };

/** A target without its secrets, and its secrets. */
export interface SeparatedTarget {
  /** With `***` for every secret. */
  shown: ScenarioTarget;
  secrets: TargetSecrets;
}

/**
 * Separates the secrets of a target from it. One given as `***` keeps its stored value; so do all named ones where the target has no `secrets`.
 *
 * @param stored the target before, and its secrets; null for a new scenario
 *
 * Errors: `invalid_request` for a `***` without a stored value, or where the URL's origin changes.
 */
export function separateSecrets(target: ScenarioTarget, stored: SeparatedTarget | null): SeparatedTarget {
  if (target.type !== 'http') return { shown: target, secrets: noSecrets };
  const isKept = stored?.shown.type === 'http' && new URL(stored.shown.url).origin === new URL(target.url).origin;
  const before = stored?.secrets ?? noSecrets;
  const kept = (what: 'header' | 'secret', name: string, value: string | undefined): string => {
    if (value !== undefined && isKept) return value;
    throw mustBeGiven(what, name, value !== undefined);
  };
  const headers: Record<string, string> = {};
  const shownHeaders: Record<string, string> = {};
  for (const [name, value] of Object.entries(target.headers)) {
    const lower = name.toLowerCase();
    shownHeaders[name] = isSecretHeader(lower) ? hidden : value;
    if (isSecretHeader(lower)) headers[lower] = value === hidden ? kept('header', name, before.headers[lower]) : value;
  }
  const given = target.secrets ?? Object.fromEntries(Object.keys(before.named).map((name) => [name, hidden]));
  const named: Record<string, string> = {};
  for (const [name, value] of Object.entries(given))
    named[name] = value === hidden ? kept('secret', name, before.named[name]) : value;
  const { secrets: _, ...open } = target;
  return { shown: { ...open, headers: shownHeaders, ...shownNames(named) }, secrets: { headers, named } };
}

function shownNames(named: Readonly<Record<string, string>>): Pick<HttpTarget, 'secrets'> {
  const names = Object.keys(named);
  return names.length === 0 ? {} : { secrets: Object.fromEntries(names.map((name) => [name, hidden])) };
}

function mustBeGiven(what: 'header' | 'secret', name: string, otherOrigin: boolean): ServiceError {
  const why = otherOrigin ? 'the URL has another origin now' : `${hidden} stands for a stored value, and there is none`;
  return new ServiceError('invalid_request', `Give the value of the ${what} ${name}: ${why}.`, {
    details: [{ path: `/target/${what}s${jsonPointer([name])}`, message: 'must be given' }],
  });
}

/** A stored target as the API returns it. Headers that an earlier release kept as they are read as `***` too. */
export function shownTarget(json: string): ScenarioTarget {
  const target = JSON.parse(json) as ScenarioTarget;
  if (target.type !== 'http') return target;
  const headers = Object.entries(target.headers).map(([name, value]) => [name, isSecretHeader(name) ? hidden : value]);
  return { ...target, headers: Object.fromEntries(headers) as Record<string, string> };
}

/** The stored form of secrets; null without any. @param owner the scenario's id */
export function sealSecrets(box: SecretBox, secrets: TargetSecrets, owner: string): string | null {
  const { headers, named } = secrets;
  return Object.keys(headers).length + Object.keys(named).length === 0 ? null : box.seal(JSON.stringify(secrets), owner);
}

/**
 * Opens stored secrets, with the headers that an earlier release kept as they are.
 *
 * @param owner the scenario's id
 * Errors: `SealBroken`.
 */
export function openSecrets(box: SecretBox, stored: StoredTarget, owner: string): TargetSecrets {
  const { headers, named } = stored.sealed_headers === null ? noSecrets : readSecrets(box.open(stored.sealed_headers, owner));
  return { headers: { ...plainHeaders(stored.target), ...headers }, named };
}

interface StoredTarget {
  target: string | null;
  sealed_headers: string | null;
}

/** Earlier releases sealed the headers alone. */
function readSecrets(json: string): TargetSecrets {
  const read = JSON.parse(json) as TargetSecrets | Readonly<Record<string, string>>;
  return typeof read.headers === 'object' ? (read as TargetSecrets) : { headers: read as TargetSecrets['headers'], named: {} };
}

function plainHeaders(json: string | null): Record<string, string> {
  const target = JSON.parse(json ?? '{}') as Partial<ScenarioTarget>;
  if (target.type !== 'http') return {};
  const plain = Object.entries(target.headers ?? {}).filter(([name, value]) => isSecretHeader(name) && value !== hidden);
  return Object.fromEntries(plain.map(([name, value]) => [name.toLowerCase(), value]));
}

/** A stored target and its secrets; none of them when another installation's secret sealed them: they have to be given anew. */
export function storedTarget(box: SecretBox, row: StoredTarget & { target: string; id: string }): SeparatedTarget {
  const shown = shownTarget(row.target);
  try {
    return { shown, secrets: openSecrets(box, row, row.id) };
  } catch (error) {
    if (error instanceof SealBroken) return { shown, secrets: noSecrets };
    throw error;
  }
}
