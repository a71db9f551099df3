import { MappedText } from './mapped-text.ts';

/** Characters below this one are in composed form (NFC) whatever stands beside them, marks aside. */
const maybeDecomposed = /[\u0300-\uffff]/;
/** Marks, and the vowels and finals of Hangul, which join what stands before them. */
const joining = /[\p{M}\u1160-\u11ff]/u;

/** A text in composed form (NFC), in which letters and their marks are one character. */
export function composedText(text: string): MappedText {
  if (!maybeDecomposed.test(text) || text.normalize('NFC') === text) return new MappedText(text);
  const units: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  for (let at = 0; at < text.length;) {
    const start = at;
    at += width(text, at);
    while (at < text.length && text.charCodeAt(at) >= 0x300 && joining.test(String.fromCodePoint(text.codePointAt(at) ?? 0)))
      at += width(text, at);
    for (const unit of text.slice(start, at).normalize('NFC').split('')) {
      units.push(unit);
      starts.push(start);
      ends.push(at);
    }
  }
  return new MappedText(units.join(''), starts, ends);
}

function width(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
