import type { QueryParameters } from './query-parameters.ts';

/** A piece of SQL with the parameters that are bound in it. */
export interface SqlPart {
  text: string;
  parameters: QueryParameters;
}

/** Conditions that must all hold. */
export function allOf(parts: readonly SqlPart[]): SqlPart {
  return {
    text: parts.map((part) => part.text).join('\n  AND '),
    parameters: Object.assign({}, ...parts.map((part) => part.parameters)) as QueryParameters,
  };
}

/** The text with the lines after the first indented by some columns. */
export function indented(text: string, columns: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(columns)}`);
}
