import type { PromptVersion } from '../../api/wire.ts';
import { defaultLabel } from './label-words.ts';

/** A `curl` that fetches a version as applications do: by its label where it has one, else by its number. */
export function fetchSnippet(
  origin: string,
  { name, version, labels }: Pick<PromptVersion, 'name' | 'version' | 'labels'>,
): string {
  const label = labels.includes(defaultLabel) ? defaultLabel : labels.find((one) => one !== 'latest');
  const which = label === undefined ? `version=${version}` : `label=${encodeURIComponent(label)}`;
  // A quote would end the shell's string.
  const encoded = encodeURIComponent(name).replaceAll("'", '%27');
  return `curl -s '${origin}/v1/prompts?name=${encoded}&${which.replaceAll("'", '%27')}' -H "x-api-key: $SPANWISE_API_KEY"`;
}
