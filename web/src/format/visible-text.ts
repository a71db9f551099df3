// What a terminal or the bidirectional algorithm would act on, and what nobody can see: these must not hide in what people sent.
const hidden =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B-\u200F\u2028\u2029\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF\uFFF9-\uFFFB]|[\u{E0000}-\u{E007F}]/gu;

// Names and not the signs of U+2400: few fonts have those.
const controlNames =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(' ');

/**
 * Text with its control characters, bidirectional marks and zero-width characters made visible: ESC is shown as `⟨ESC⟩`, a right-to-left
 * override as `⟨U+202E⟩`. Line feeds and tabs stay. Joiners inside emoji and scripts that need them stay as well.
 */
export function visibleText(text: string): string {
  return text.replace(hidden, (character, offset: number) => {
    const code = character.codePointAt(0) ?? 0;
    // CR before LF is a line ending of another system.
    if (code === 0x0d && text[offset + 1] === '\n') return '';
    if (code === 0x200d || code === 0x200c) return character;
    const name = code === 0x7f ? 'DEL' : controlNames[code];
    if (name !== undefined) return `⟨${name}⟩`;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}
