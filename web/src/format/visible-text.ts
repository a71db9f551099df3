// What a terminal or the bidirectional algorithm would act on, and what nobody can see: these must not hide in what people sent.
const hidden =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B-\u200F\u2028\u2029\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF\uFFF9-\uFFFB]|[\u{E0000}-\u{E007F}]/gu;

// Names and not the signs of U+2400: few fonts have those.
const controlNames =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(' ');

// Nothing but this is nothing to see: white space of every kind, and what Unicode has drawn as nothing or as a blank.
const blankOnly = /^[\s\u2800\p{Default_Ignorable_Code_Point}]+$/u;
const sameAgain = /(.)\1*/gsu;

function nameOf(character: string, times = 1): string {
  const code = character.codePointAt(0) ?? 0;
  const name = code === 0x7f ? 'DEL' : (controlNames[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`);
  return times === 1 ? `⟨${name}⟩` : `⟨${name} × ${times}⟩`;
}

/**
 * Part of a longer text with its control characters, bidirectional marks and zero-width characters made visible: ESC is shown as `⟨ESC⟩`, a
 * right-to-left override as `⟨U+202E⟩`. Line feeds, tabs and blanks stay. Joiners inside emoji and scripts that need them stay as well.
 */
export function visiblePart(text: string): string {
  return text.replace(hidden, (character, offset: number) => {
    // CR before LF is a line ending of another system.
    if (character === '\r' && text[offset + 1] === '\n') return '';
    return character === '\u200D' || character === '\u200C' ? character : nameOf(character);
  });
}

/**
 * A whole text, such as a name, as {@link visiblePart} shows it; one of nothing but blanks shows those by their names: three spaces are
 * `⟨U+0020 × 3⟩`.
 */
export function visibleText(text: string): string {
  if (!blankOnly.test(text)) return visiblePart(text);
  return text.replace(sameAgain, (same, character: string) => nameOf(character, same.length / character.length));
}
