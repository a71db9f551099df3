import { writeJson } from '../write-json.ts';

/** Values of the variables of a prompt, by name. Texts are inserted as they are, other values as JSON. */
export type PromptVariables = Readonly<Record<string, unknown>>;

// Literal braces, or a form in double braces; as the service's (src/features/prompts/template-names.ts). All quantifiers are bounded, which bounds
// backtracking.
const braces = /\\\{\{|(?<![{$])\{\{\s{0,20}([^\s{}>][^{}\n]{0,99}?)\s{0,20}\}\}/g;
const variableName = /^(?!(?:else|this)$)[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]*$/u;
/** Largest value that is no text, in bytes of JSON; a larger one is cut, with a mark. */
const maxValueBytes = 4_000_000;

/**
 * A text with its variables replaced and `\{{` as `{{`. What is inserted is not searched for variables again. Forms of other template languages, such
 * as `{{#if x}}`, are left as they are unless there is a value of exactly this name.
 *
 * @param missing gets the names of variables without a value
 */
export function compileText(text: string, variables: PromptVariables, missing: Set<string>): string {
  return text.replaceAll(braces, (all, name: string | undefined) => {
    if (name === undefined) return '{{';
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined && variableName.test(name)) missing.add(name);
    return typeof value === 'string' ? value : (writeJson(value, maxValueBytes)?.json ?? all);
  });
}
