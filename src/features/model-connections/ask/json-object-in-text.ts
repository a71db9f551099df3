/** A parsed JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The JSON object of a model's answer: the whole text, else the last object in it that has all `essential` properties, else the first
 * one; null when there is none. Models put objects into code fences and write other text around them.
 */
export function jsonObjectInText(text: string, essential: readonly string[]): JsonObject | null {
  const whole = parsedObject(text);
  if (whole) return whole;
  let found: JsonObject | null = null;
  for (const candidate of objectTexts(text)) {
    const object = parsedObject(candidate);
    if (object && (found === null || essential.every((name) => Object.hasOwn(object, name)))) found = object;
  }
  return found;
}

function parsedObject(text: string): JsonObject | null {
  const value = parsed(text) ?? parsed(withEscapedControls(text));
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The same text with line breaks and other control characters inside of strings escaped, as JSON asks and models do not always do. */
function withEscapedControls(text: string): string {
  let quoted = false;
  // One token a match: a pattern of whole strings would read to the end from each quote of one that never ends.
  // oxlint-disable-next-line no-control-regex -- those are what JSON does not take
  return text.replaceAll(/\\?([\u0000-\u001f])|\\[^]|"/g, (token, control: string | undefined) => {
    if (token === '"') quoted = !quoted;
    return quoted && control !== undefined ? `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}` : token;
  });
}

/** The outermost parts of a text from a brace to the one that closes it, found in one pass. */
function* objectTexts(text: string): Generator<string> {
  let depth = 0;
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') {
      // Quotes outside of an object belong to the prose.
      quoted = depth > 0;
    } else if (character === '{') {
      if (depth++ === 0) start = at;
    } else if (character === '}' && depth > 0 && --depth === 0) {
      yield text.slice(start, at + 1);
    }
  }
}
