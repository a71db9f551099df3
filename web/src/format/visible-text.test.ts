import { expect, test } from 'vitest';
import { visiblePart, visibleText } from './visible-text.ts';

test.each([
  ['plain text\nwith lines\tand tabs', 'plain text\nwith lines\tand tabs'],
  ['\u001B[31mred\u001B[0m', '⟨ESC⟩[31mred⟨ESC⟩[0m'],
  ['user\u202Egnp.exe', 'user⟨U+202E⟩gnp.exe'],
  ['a\u200Bb\uFEFF', 'a⟨U+200B⟩b⟨U+FEFF⟩'],
  ['line\r\nline\rover', 'line\nline⟨CR⟩over'],
  ['\u0000\u007F\u009B', '⟨NUL⟩⟨DEL⟩⟨U+009B⟩'],
  ['tag\u{E0041}', 'tag⟨U+E0041⟩'],
  ['👩\u200D🚀 می\u200Cخواهم', '👩\u200D🚀 می\u200Cخواهم'],
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
])('%j', (sent, shown) => expect(visibleText(sent)).toBe(shown));

test.each([
  [' ', '⟨U+0020⟩'],
  ['   ', '⟨U+0020 × 3⟩'],
  [' \t\n', '⟨U+0020⟩⟨HT⟩⟨LF⟩'],
  ['\u00A0\u3000', '⟨U+00A0⟩⟨U+3000⟩'],
  ['\u3164\u2800\u00AD\u200D\u{E0020}\u{E0020}', '⟨U+3164⟩⟨U+2800⟩⟨U+00AD⟩⟨U+200D⟩⟨U+E0020 × 2⟩'],
  ['', ''],
  [' a ', ' a '],
])('%j, which would be invisible, is shown by code point', (sent, shown) => expect(visibleText(sent)).toBe(shown));

test('a space in a text fragment is kept', () => expect(visiblePart(' ')).toBe(' '));
