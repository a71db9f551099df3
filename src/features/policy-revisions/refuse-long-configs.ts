import { ServiceError } from '../../contract/errors.ts';
import { maxConfigCharacters } from '../../contract/guardrails.ts';

/** Throws `conflict` when the configurations of a project's guardrails would be too long. @param characters of all of them as JSON */
export function refuseLongConfigs(characters: number): void {
  if (characters <= maxConfigCharacters) return;
  throw new ServiceError(
    'conflict',
    `The configurations of a project's guardrails have at most ${maxConfigCharacters} characters together; make some of them shorter.`,
  );
}
