import type { PromptType } from '../../contract/prompts.ts';
import { partsOf, shownReference } from './references.ts';
import { messagesOf } from './stored-prompt.ts';

/** What a prompt names in double braces, each once in order of occurrence. */
export interface TemplateNames {
  /** Names of variables, such as `question` of `{{ question }}`. */
  variables: ReadonlySet<string>;
  /** References as shown: `{{> name@label }}`. */
  references: ReadonlySet<string>;
}

/** A variable; its first group is the name. As the dashboard's (web/src/content/prompt-parts.ts). All quantifiers are bounded, which bounds backtracking. */
export const variablePattern = /\{\{\s{0,20}([^\s{}>][^{}\n]{0,99}?)\s{0,20}\}\}/g;

/**
 * Variables and references of a stored prompt (docs/semantics.md, "References").
 *
 * @param prompt as stored: of a chat prompt the JSON of its messages
 */
export function templateNames(type: PromptType, prompt: string): TemplateNames {
  const texts = type === 'text' ? [prompt] : messagesOf(prompt).map(({ content }) => content);
  const variables = new Set<string>();
  const references = new Set<string>();
  for (const part of texts.flatMap((text) => partsOf(text))) {
    if (typeof part !== 'string') references.add(shownReference(part));
    else for (const [, name = ''] of part.matchAll(variablePattern)) variables.add(name);
  }
  return { variables, references };
}
