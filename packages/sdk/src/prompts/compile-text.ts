import { writeJson } from '../write-json.ts';

/** Values of the variables of a prompt, by name. Texts are inserted as they are, other values as JSON. */
export type PromptVariables = Readonly<Record<string, unknown>>;

// As the service fills the prompts of simulations. All quantifiers are bounded, which bounds backtracking.
const variable = /\{\{\s{0,20}([^\s{}>][^{}\n]{0,99}?)\s{0,20}\}\}/g;
/** Largest value that is no text, in bytes of JSON; a larger one is cut, with a mark. */
const maxValueBytes = 4_000_000;

/** A text with its variables replaced. What is inserted is not searched for variables again. @param missing gets the names without a value */
export function compileText(text: string, variables: PromptVariables, missing: Set<string>): string {
  return text.replaceAll(variable, (all, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined) missing.add(name);
    return typeof value === 'string' ? value : (writeJson(value, maxValueBytes)?.json ?? all);
  });
}
