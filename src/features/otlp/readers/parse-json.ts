/** Parses JSON; undefined when the text is not JSON or nests too deep for the engine. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Writes a parsed value as JSON; undefined when it nests too deep for the engine. */
export function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
