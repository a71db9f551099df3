/** A mention that is being written: where its `@` stands, and what follows up to the cursor. */
export interface WrittenMention {
  start: number;
  query: string;
}

/** The person whom a mention names. */
export interface Mentioned {
  userId: string;
  name: string;
  email: string;
}

const maxQuery = 64;
const maxOffered = 6;

/** The mention that ends at the cursor; null if none is being written. */
export function mentionAt(text: string, cursor: number): WrittenMention | null {
  const before = text.slice(Math.max(0, cursor - maxQuery), cursor);
  const written = /(?<![^\s([{"'*_~])@([^\s@]*)$/u.exec(before)?.[1];
  return written === undefined ? null : { start: cursor - written.length - 1, query: written };
}

/** The people who are offered for a mention: those whose name or address begins with it, then those that contain it. */
export function offeredFor(query: string, people: readonly Mentioned[]): Mentioned[] {
  const wanted = query.toLowerCase();
  const rank = ({ name, email }: Mentioned): number => {
    const texts = [name.toLowerCase(), email.toLowerCase(), ...name.toLowerCase().split(/\s+/u)];
    if (texts.some((text) => text.startsWith(wanted))) return 0;
    return texts.some((text) => text.includes(wanted)) ? 1 : 2;
  };
  return people
    .map((person) => ({ person, rank: rank(person) }))
    .filter(({ rank: of }) => of < 2)
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, maxOffered)
    .map(({ person }) => person);
}

/** The text with a mention completed, and where the cursor is then. */
export function withMention(
  text: string,
  { start, query }: WrittenMention,
  { email }: Mentioned,
): { text: string; cursor: number } {
  const after = text.slice(start + 1 + query.length);
  const inserted = `@${email}${/^\s/u.test(after) ? '' : ' '}`;
  return { text: text.slice(0, start) + inserted + after, cursor: start + inserted.length + (/^\s/u.test(after) ? 1 : 0) };
}

/** A text as a quotation in Markdown, with room for what is said of it. */
export function quoted(text: string): string {
  const lines = text.trim().split(/\r\n|\r|\n/u);
  return `${lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n')}\n\n`;
}
