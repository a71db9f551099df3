/** A text as PostgreSQL can store it: U+FFFD in place of each NUL character and each half of a surrogate pair. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}
