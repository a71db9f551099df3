import { valueJson, type PresentValue } from '../wire/attribute.ts';
import type { Reader } from './convention.ts';

const maxPathLength = 12;

/** One level of dotted names. */
type Branch = Map<string, Branch | PresentValue>;

/**
 * Reads flattened attributes (`gen_ai.prompt.0.role`, `llm.input_messages.0.message.content`) as a JSON array.
 *
 * @param wrappers names of levels to leave out where a list item has no other member (`message`)
 */
export function numbered(prefix: string, ...wrappers: readonly string[]): Reader<string> {
  return (_value, span) => {
    const root: Branch = new Map();
    for (const { rest, value } of span.numbered(prefix)) place(root, rest.split('.', maxPathLength), value);
    return root.size === 0 ? undefined : branchJson(root, wrappers);
  };
}

function place(root: Branch, path: readonly string[], value: PresentValue): void {
  let branch = root;
  for (const [index, name] of path.entries()) {
    if (index === path.length - 1) {
      if (!branch.has(name)) branch.set(name, value);
      return;
    }
    const next = branch.get(name);
    if (next instanceof Map) {
      branch = next;
    } else {
      const made: Branch = new Map();
      branch.set(name, made);
      branch = made;
    }
  }
}

function branchJson(branch: Branch, wrappers: readonly string[]): string {
  const names = [...branch.keys()];
  if (names.every((name) => /^\d{1,15}$/.test(name))) {
    const items = names
      .toSorted((a, b) => Number(a) - Number(b))
      .map((name) => nodeJson(unwrapped(branch.get(name), wrappers), wrappers));
    return `[${items.join(',')}]`;
  }
  return `{${names.map((name) => `${JSON.stringify(name)}:${nodeJson(branch.get(name), wrappers)}`).join(',')}}`;
}

function nodeJson(node: Branch | PresentValue | undefined, wrappers: readonly string[]): string {
  return node instanceof Map ? branchJson(node, wrappers) : valueJson(node ?? null);
}

function unwrapped(node: Branch | PresentValue | undefined, wrappers: readonly string[]): Branch | PresentValue | undefined {
  if (!(node instanceof Map) || node.size !== 1) return node;
  const [only] = node;
  return only !== undefined && wrappers.includes(only[0]) ? only[1] : node;
}
