/**
 * Whether a text contains another, in linear time (Knuth, Morris and Pratt). `String.includes` is faster for nearly every text, but
 * quadratic for some, and cannot be interrupted.
 */
export function hasText(text: string, searched: string): boolean {
  const shorter = borders(searched);
  let matched = 0;
  for (let at = 0; at < text.length && matched < searched.length; at++) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && searched.charCodeAt(matched) !== unit) matched = shorter[matched - 1] ?? 0;
    if (searched.charCodeAt(matched) === unit) matched++;
  }
  return matched === searched.length;
}

/** For each prefix, by its last index: the length of its longest proper suffix that is also a prefix. */
function borders(text: string): Int32Array {
  const lengths = new Int32Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    while (length > 0 && text.charCodeAt(length) !== unit) length = lengths[length - 1] ?? 0;
    if (text.charCodeAt(length) === unit) length++;
    lengths[at] = length;
  }
  return lengths;
}
