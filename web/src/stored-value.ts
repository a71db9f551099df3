/** Values that the browser keeps for this viewer. Storage may be blocked; they then last until the page is closed. */
const known = new Map<string, string>();

/** A value that was stored under a key as JSON; `otherwise` where there is none. @param isRead tells whether it has the expected form */
export function readStored<Value>(key: string, isRead: (value: unknown) => value is Value, otherwise: Value): Value {
  try {
    const text = known.get(key) ?? localStorage.getItem(key);
    if (text === null) return otherwise;
    const value: unknown = JSON.parse(text);
    return isRead(value) ? value : otherwise;
  } catch {
    return otherwise;
  }
}

/** Stores a value under a key as JSON. */
export function store(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  known.set(key, text);
  try {
    localStorage.setItem(key, text);
  } catch {
    // Kept in memory.
  }
}

/** Whether a value is a list of texts. */
export const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
