import type { PromptVersion } from '../../api/service.ts';
import { defaultLabel } from './label-move.ts';

/** A curl command that requests a version by its label, or by its number if it has none. */
export function fetchSnippet(
  origin: string,
  { name, version, labels }: Pick<PromptVersion, 'name' | 'version' | 'labels'>,
): string {
  const label = labels.includes(defaultLabel) ? defaultLabel : labels.find((one) => one !== 'latest');
  const which = label === undefined ? `version=${version}` : `label=${encodeURIComponent(label)}`;
  // Escape quotes for the shell.
  const encoded = encodeURIComponent(name).replaceAll("'", '%27');
  return `curl -s '${origin}/v1/prompts?name=${encoded}&${which.replaceAll("'", '%27')}' -H "x-api-key: $SPANWISE_API_KEY"`;
}
