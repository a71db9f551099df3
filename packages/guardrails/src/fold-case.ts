/** A text with each character in the one form that its cases share; offsets stay the same. */
export function foldCase(text: string): string {
  return text.replaceAll(/[\0-\x7f]+|[^\0-\x7f]+/g, (run) => (run.charCodeAt(0) < 128 ? run.toLowerCase() : foldWide(run)));
}

function foldWide(text: string): string {
  let folded = '';
  for (const character of text) {
    const lower = oneCharacter(character.toUpperCase(), character).toLowerCase();
    folded += lower.length === character.length ? lower : character;
  }
  return folded;
}

/** A mapped character, if it takes as many units as the original; else the original. */
function oneCharacter(mapped: string, original: string): string {
  return mapped.length === original.length ? mapped : original;
}
