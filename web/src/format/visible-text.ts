// Control characters, bidirectional controls and invisible characters.
const hidden =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B-\u200F\u2028\u2029\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF\uFFF9-\uFFFB]|[\u{E0000}-\u{E007F}]/gu;

// Names instead of the symbols at U+2400, which few fonts contain.
const controlNames =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(' ');

// White space and code points that render as nothing.
const blankOnly = /^[\s\u2800\p{Default_Ignorable_Code_Point}]+$/u;
const sameAgain = /(.)\1*/gsu;

function nameOf(character: string, times = 1): string {
  const code = character.codePointAt(0) ?? 0;
  const name = code === 0x7f ? 'DEL' : (controlNames[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`);
  return times === 1 ? `⟨${name}⟩` : `⟨${name} × ${times}⟩`;
}

/**
 * Makes control characters, bidirectional controls and zero-width characters of a text fragment visible: ESC becomes `⟨ESC⟩`, a
 * right-to-left override `⟨U+202E⟩`. Line feeds, tabs, spaces and joiners (emoji, Arabic and Indic scripts) are kept.
 */
export function visiblePart(text: string): string {
  return text.replace(hidden, (character, offset: number) => {
    // CRLF is a line ending.
    if (character === '\r' && text[offset + 1] === '\n') return '';
    return character === '\u200D' || character === '\u200C' ? character : nameOf(character);
  });
}

/**
 * Like {@link visiblePart}, for a complete text such as a name. A text of white space only is shown by code point: three spaces become
 * `⟨U+0020 × 3⟩`.
 */
export function visibleText(text: string): string {
  if (!blankOnly.test(text)) return visiblePart(text);
  return text.replace(sameAgain, (same, character: string) => nameOf(character, same.length / character.length));
}
