/**
 * The beginning of a text: at most `maxLength` UTF-16 units, a surrogate pair whole or not at all. A text that is cut ends with `ellipsis`,
 * which counts.
 */
export function cutText(text: string, maxLength: number, ellipsis = ''): string {
  if (text.length <= maxLength) return text;
  const end = Math.max(0, maxLength - ellipsis.length);
  const splits = isHighSurrogate(text.charCodeAt(end - 1)) && isLowSurrogate(text.charCodeAt(end));
  return `${text.slice(0, splits ? end - 1 : end)}${ellipsis}`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
