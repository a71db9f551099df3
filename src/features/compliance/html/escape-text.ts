import { escapeHtml } from '../../../platform/text/index.ts';

/** Control characters, and characters that hide or reorder text. */
const invisible = /[\p{Cc}\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;

/** An untrusted text as HTML: markup is escaped, and an invisible character is shown as its code point, such as `[U+202E]`. */
export function escapeText(text: string): string {
  const visible = text
    .toWellFormed()
    .replace(invisible, (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`);
  return escapeHtml(visible);
}
