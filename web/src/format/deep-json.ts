/** An array or object that is being serialized. */
interface Open {
  /** Member names of an object; null for an array. */
  names: readonly string[] | null;
  members: readonly unknown[];
  /** Index of the next member. */
  next: number;
}

/**
 * Serializes a value of any nesting depth. JSON.stringify recurses and throws a RangeError at some thousand levels; JSON.parse does not.
 *
 * @param maxIndented number of levels that are indented by two spaces; deeper levels are written on one line
 */
export function deepJson(value: unknown, maxIndented: number): string {
  const open: Open[] = [];
  let text = start(value, open);
  for (let last = open.at(-1); last; last = open.at(-1)) {
    const { names, members, next } = last;
    const isIndented = members.length > 0 && open.length <= maxIndented;
    const lineOf = (depth: number) => (isIndented ? `\n${'  '.repeat(depth)}` : '');
    if (next === members.length) {
      open.pop();
      text += `${lineOf(open.length)}${names ? '}' : ']'}`;
      continue;
    }
    last.next += 1;
    const name = names ? `${JSON.stringify(names[next])}:${isIndented ? ' ' : ''}` : '';
    text += `${next > 0 ? ',' : ''}${lineOf(open.length)}${name}${start(members[next], open)}`;
  }
  return text;
}

/** Returns a scalar's JSON or an opening bracket; pushes arrays and objects to `open`. */
function start(value: unknown, open: Open[]): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) {
    open.push({ names: null, members: value, next: 0 });
    return '[';
  }
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  open.push({ names: entries.map(([name]) => name), members: entries.map(([, member]) => member as unknown), next: 0 });
  return '{';
}

/** A value of any nesting depth as JSON on one line. */
export function jsonLine(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return deepJson(value, 0);
  }
}
