import type { PromptVersion } from '../../api/service.ts';
import { promptMessages } from '../../content/prompt-messages.ts';
import { promptParts, referencesOf, variablesOf } from '../../content/prompt-parts.ts';
import type { PromptReference } from '../../content/prompt-parts.ts';

/**
 * The references of a version, and the variables that an application fills: those of the prompt with its references replaced, or of the prompt alone
 * where they cannot be.
 */
export function placeholdersOf({ type, prompt, resolvedPrompt }: Pick<PromptVersion, 'type' | 'prompt' | 'resolvedPrompt'>): {
  variables: string[];
  references: PromptReference[];
} {
  const partsOf = (content: string) => {
    const messages = type === 'chat' ? promptMessages(content) : null;
    return (messages?.map((message) => message.content) ?? [content]).flatMap(promptParts);
  };
  const resolved = typeof resolvedPrompt === 'string' ? resolvedPrompt : JSON.stringify(resolvedPrompt);
  return {
    variables: variablesOf(partsOf(resolvedPrompt === null ? prompt : resolved)),
    references: referencesOf(partsOf(prompt)),
  };
}
