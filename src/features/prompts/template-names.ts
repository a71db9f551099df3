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

/**
 * Literal braces (`\{{`), or a form in double braces whose first group is its name. As the dashboard's (web/src/content/prompt-parts.ts) and the
 * SDK's (packages/sdk/src/prompts/compile-text.ts). All quantifiers are bounded, which bounds backtracking.
 */
const bracesPattern = /\\\{\{|(?<![{$])\{\{\s{0,20}([^\s{}>][^{}\n]{0,99}?)\s{0,20}\}\}/g;

/** Names of variables; `{{else}}` and `{{this}}` belong to other template languages. */
const variableName = /^(?!(?:else|this)$)[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]*$/u;

/**
 * A text with its variables replaced and `\{{` as `{{` (docs/semantics.md, "Variables of prompts"). Other forms in double braces, such as
 * `{{#if x}}`, are replaced where there is a value of exactly this name, and left otherwise.
 *
 * @param valueOf the text of a variable; undefined for one without a value
 * @param missing is told the variables without a value, which are left as they are
 */
export function fillVariables(
  text: string,
  valueOf: (name: string) => string | undefined,
  missing: (name: string) => void,
): string {
  return text.replaceAll(bracesPattern, (all, name: string | undefined) => {
    if (name === undefined) return '{{';
    const value = valueOf(name);
    if (value === undefined && variableName.test(name)) missing(name);
    return value ?? all;
  });
}

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
    else
      fillVariables(
        part,
        () => undefined,
        (name) => void variables.add(name),
      );
  }
  return { variables, references };
}
