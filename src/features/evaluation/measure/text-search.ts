/**
 * Whether a text has another in it, in time in proportion to their lengths (Knuth, Morris and Pratt). `String.includes` is faster with
 * nearly every text; a few make it take the product of the lengths, in a call that nothing can break off.
 */
export function hasText(text: string, wanted: string): boolean {
  const shorter = borders(wanted);
  let matched = 0;
  for (let at = 0; at < text.length && matched < wanted.length; at++) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = shorter[matched - 1] ?? 0;
    if (wanted.charCodeAt(matched) === unit) matched++;
  }
  return matched === wanted.length;
}

/** For each beginning of a text, by its last place: how much of its end the text begins with as well, short of the whole. */
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
