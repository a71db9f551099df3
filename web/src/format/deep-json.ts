/** A list or an object whose members are being written. */
interface Open {
  /** Of an object's members; null for a list. */
  names: readonly string[] | null;
  members: readonly unknown[];
  /** Which member comes next. */
  next: number;
}

/**
 * A value as JSON, however deep it nests: JSON.stringify recurses and throws after some thousand levels, while JSON.parse reads any.
 *
 * @param mostIndented so many levels are indented, as JSON.stringify does with 2; what is deeper stands in one line
 */
export function deepJson(value: unknown, mostIndented: number): string {
  const open: Open[] = [];
  let text = begun(value, open);
  for (let last = open.at(-1); last; last = open.at(-1)) {
    const { names, members, next } = last;
    const isIndented = members.length > 0 && open.length <= mostIndented;
    const lineOf = (depth: number) => (isIndented ? `\n${'  '.repeat(depth)}` : '');
    if (next === members.length) {
      open.pop();
      text += `${lineOf(open.length)}${names ? '}' : ']'}`;
      continue;
    }
    last.next += 1;
    const name = names ? `${JSON.stringify(names[next])}:${isIndented ? ' ' : ''}` : '';
    text += `${next > 0 ? ',' : ''}${lineOf(open.length)}${name}${begun(members[next], open)}`;
  }
  return text;
}

/** The beginning of a value's text; the members of a list or object follow as it is put among those that are open. */
function begun(value: unknown, open: Open[]): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) {
    open.push({ names: null, members: value, next: 0 });
    return '[';
  }
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  open.push({ names: entries.map(([name]) => name), members: entries.map(([, member]) => member as unknown), next: 0 });
  return '{';
}

/** A value as JSON in one line, however deep it nests. */
export function jsonLine(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return deepJson(value, 0);
  }
}
