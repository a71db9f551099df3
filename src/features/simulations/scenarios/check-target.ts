import { ServiceError } from '../../../contract/errors.ts';
import { secretPlaceholder, simulationLimits } from '../../../contract/simulations.ts';
import type { ScenarioTarget } from '../../../contract/simulations.ts';
import { nestsDeeper } from '../../../platform/json/index.ts';
import { checkAddress } from '../../../platform/net/index.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import { splitAtQuery } from './filled-url.ts';
import type { TargetSecrets } from './target-secrets.ts';

/**
 * Checks what the schema of a target cannot: that its URL leads to the public internet, the size of its body, and its placeholders of secrets.
 *
 * @param secrets null: they are not known yet, and {@link checkPlaceholders} follows
 * Errors: `invalid_request`.
 */
export async function checkTarget(
  { http }: Pick<SimulationsContext, 'http'>,
  target: ScenarioTarget,
  secrets: TargetSecrets | null,
): Promise<void> {
  if (target.type !== 'http') return;
  if (secrets !== null) checkPlaceholders(target, secrets);
  const { bodyBytes, bodyDepth } = simulationLimits;
  if (nestsDeeper(target.body, bodyDepth)) throw refused(`must nest at most ${bodyDepth} levels deep`);
  if (Buffer.byteLength(JSON.stringify(target.body)) > bodyBytes) throw refused(`must have at most ${bodyBytes / 1024} KiB`);
  await checkAddress(http, target.url, '/target/url');
}

/**
 * Checks that every `{{secret.name}}` of a target names one of its secrets, and stands in the query of the URL or in the body.
 *
 * Errors: `invalid_request`.
 */
export function checkPlaceholders(target: ScenarioTarget, { named }: TargetSecrets): void {
  if (target.type !== 'http') return;
  const [beforeQuery, query] = splitAtQuery(target.url);
  if (namesIn(beforeQuery).length > 0) throw misplaced('/target/url', 'must have {{secret.name}} in its query alone');
  for (const [path, text] of [
    ['/target/url', query],
    ['/target/body', JSON.stringify(target.body) ?? ''],
  ] as const) {
    const missing = namesIn(text).find((name) => !Object.hasOwn(named, name));
    if (missing !== undefined) throw misplaced(path, `names the secret ${missing}, which the target does not have`);
  }
}

function namesIn(text: string): string[] {
  return [...text.matchAll(secretPlaceholder)].map(([, name = '']) => name);
}

function misplaced(path: string, message: string): ServiceError {
  return new ServiceError('invalid_request', `Correct the secrets of the target: ${path} ${message}.`, {
    details: [{ path, message }],
  });
}

function refused(message: string): ServiceError {
  return new ServiceError('invalid_request', `Correct the body of the target: it ${message}.`, {
    details: [{ path: '/target/body', message }],
  });
}
