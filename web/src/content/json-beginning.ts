/**
 * The first characters of a value's JSON, at least `most` of them where there are as many. What comes after is not looked at, so that a
 * preview of megabytes costs little.
 */
export function jsonBeginning(value: unknown, most: number): string {
  if (typeof value === 'string') return JSON.stringify(value.length > most ? value.slice(0, most) : value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const isList = Array.isArray(value);
  let text = isList ? '[' : '{';
  // Keys alone are read first: members are looked at one after another.
  const keys = isList ? null : Object.keys(value);
  const length = keys?.length ?? (value as unknown[]).length;
  for (let index = 0; index < length; index++) {
    if (text.length >= most) return text;
    const key = keys?.[index];
    if (index > 0) text += ',';
    if (key !== undefined) text += `${JSON.stringify(key)}:`;
    const member: unknown = key === undefined ? (value as unknown[])[index] : (value as Record<string, unknown>)[key];
    text += jsonBeginning(member, Math.max(0, most - text.length));
  }
  return text + (isList ? ']' : '}');
}
