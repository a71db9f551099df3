import type { PromptVersion } from '../../../contract/prompts.ts';
import { textsThatFit } from '../answers/texts-that-fit.ts';
import type { Answer } from '../tool.ts';

/** A version of a prompt as an answer. @param cursor continues its texts */
export function promptAnswer({ prompt, resolvedPrompt, config, ...fields }: PromptVersion, cursor: string | undefined): Answer {
  const isResolvedText = typeof resolvedPrompt === 'string';
  const resolved = isResolvedText ? resolvedPrompt : resolvedPrompt === null ? '' : JSON.stringify(resolvedPrompt);
  const texts = [
    { name: 'prompt', text: prompt, json: false },
    { name: 'config', text: JSON.stringify(config), json: true },
    // Without references both are the same.
    ...(resolved === prompt ? [] : [{ name: 'resolvedPrompt', text: resolved, json: !isResolvedText }]),
  ];
  return textsThatFit(fields, texts, cursor);
}
