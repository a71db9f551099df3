import type { PlannedChange } from '../../api/policies.ts';
import type { Environment } from '../../api/service.ts';
import { attachedNames } from './refusal.ts';

/** The names of the environments that a plan removes. */
export function removedEnvironments(changes: readonly PlannedChange[]): string[] {
  return changes.filter(({ kind, action }) => kind === 'Environment' && action === 'remove').map(({ name }) => name);
}

/**
 * The environments that a plan removes and something names, for which the apply is refused. Guardrails that the plan removes, or limits to other
 * environments, do not count.
 *
 * @returns each environment with what names it
 */
export function usedEnvironments(
  changes: readonly PlannedChange[],
  environments: ReadonlyArray<Pick<Environment, 'name' | 'attached'>>,
): Array<{ name: string; by: string[] }> {
  const removed = new Set(removedEnvironments(changes));
  const moved = new Set(changes.filter(isMoved).map(({ name }) => name));
  return environments
    .filter(({ name }) => removed.has(name))
    .map(({ name, attached }) => ({
      name,
      by: attachedNames({ ...attached, guardrails: attached.guardrails.filter((guardrail) => !moved.has(guardrail)) }),
    }))
    .filter(({ by }) => by.length > 0);
}

function isMoved({ kind, action, fields }: PlannedChange): boolean {
  return kind === 'Guardrail' && (action === 'remove' || fields.some(({ path }) => path.startsWith('/environments')));
}
