import { ServiceError } from '../../../contract/errors.ts';
import { simulationLimits } from '../../../contract/simulations.ts';
import type { ScenarioTarget } from '../../../contract/simulations.ts';
import { nestsDeeper } from '../../../platform/json/index.ts';
import { checkAddress } from '../../../platform/net/index.ts';
import type { SimulationsContext } from '../simulations-context.ts';

/**
 * Checks what the schema of a target cannot: that its URL leads to the public internet, and the size of its body.
 *
 * Errors: `invalid_request`.
 */
export async function checkTarget({ http }: Pick<SimulationsContext, 'http'>, target: ScenarioTarget): Promise<void> {
  if (target.type !== 'http') return;
  const { bodyBytes, bodyDepth } = simulationLimits;
  if (nestsDeeper(target.body, bodyDepth)) throw refused(`must nest at most ${bodyDepth} levels deep`);
  if (Buffer.byteLength(JSON.stringify(target.body)) > bodyBytes) throw refused(`must have at most ${bodyBytes / 1024} KiB`);
  await checkAddress(http, target.url, '/target/url');
}

function refused(message: string): ServiceError {
  return new ServiceError('invalid_request', `Correct the body of the target: it ${message}.`, {
    details: [{ path: '/target/body', message }],
  });
}
