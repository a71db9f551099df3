/**
 * The beginning of a value's JSON, at least `length` characters if it has that many. The rest of the value is not read.
 */
export function jsonBeginning(value: unknown, length: number): string {
  if (typeof value === 'string') return JSON.stringify(value.length > length ? value.slice(0, length) : value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const isList = Array.isArray(value);
  let text = isList ? '[' : '{';
  // Object.entries would read every member.
  const keys = isList ? null : Object.keys(value);
  const count = keys?.length ?? (value as unknown[]).length;
  for (let index = 0; index < count; index++) {
    if (text.length >= length) return text;
    const key = keys?.[index];
    if (index > 0) text += ',';
    if (key !== undefined) text += `${JSON.stringify(key)}:`;
    const member: unknown = key === undefined ? (value as unknown[])[index] : (value as Record<string, unknown>)[key];
    text += jsonBeginning(member, Math.max(0, length - text.length));
  }
  return text + (isList ? ']' : '}');
}
