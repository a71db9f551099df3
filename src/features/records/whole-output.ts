/**
 * The output tokens of a call with its reasoning tokens, which some providers count apart: where there are more of them than output tokens, or where
 * the total is the sum of all three (docs/semantics.md, "Token counts").
 *
 * @param total of the call, if the client sent one
 */
export function wholeOutput(output: number, reasoning: number, input: number, total?: number): number {
  const isApart = reasoning > output || (reasoning > 0 && total === input + output + reasoning);
  return isApart ? Math.min(output + reasoning, Number.MAX_SAFE_INTEGER) : output;
}
