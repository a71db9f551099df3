/** Shorter ones stand in too many texts. */
const shortest = 3;
const literal = /[A-Za-z0-9 _@#:;,/&=%!"'<>~-]/;

/**
 * A text that stands in every match of a pattern: one in front of its first group or class. Null where there is none, and for patterns with alternatives
 * or with `\Q`, `\p` and `\x`.
 */
export function requiredLiteral(pattern: string): string | null {
  if (/[|]|\\[QEpPx0-9]/.test(pattern)) return null;
  let longest = '';
  let run = '';
  const end = () => {
    if (run.length > longest.length) longest = run;
    run = '';
  };
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? '';
    if (character === '(' || character === '[') break;
    if (literal.test(character)) {
      run += character;
      continue;
    }
    // The character before may be absent, or repeated.
    if ('?*{'.includes(character)) run = run.slice(0, -1);
    end();
    if (character === '\\') at += 1;
    if (character === '{') at = Math.max(at, pattern.indexOf('}', at));
  }
  end();
  return longest.length < shortest ? null : longest;
}
