import { cutText } from '../../../platform/text/index.ts';
import { ItemError } from './item-error.ts';

/** The contents of an item that a target gets. JSON values; numbers may be raw JSON of `parseKeepingNumbers`. */
export interface ItemContents {
  input: unknown;
  metadata: unknown;
}

/** What a body may name. */
interface Named extends ItemContents {
  /** Texts by name. */
  secret: Readonly<Record<string, string>>;
}

/** Bytes of a body, which may have an input of 4 MiB several times. */
const maxBytes = 16 * 1_048_576;

const placeholder = /\{\{\s{0,20}(input|metadata|secret)((?:\.[^\s{}.]{1,100}){0,20})\s{0,20}\}\}/g;

/**
 * The JSON text of a body in which every placeholder is replaced (docs/semantics.md, "HTTP targets"). A string that is exactly a placeholder
 * becomes the value as JSON; inside a longer string a text is inserted as it is and any other value as JSON.
 *
 * Errors: {@link ItemError} for a field that the item does not have, and for a body of more than 16 MiB.
 */
export function renderBody(body: unknown, item: ItemContents, secret: Readonly<Record<string, string>> = {}): string {
  const contents: Named = { ...item, secret };
  let bytes = 0;
  const counted = (json: string): string => {
    bytes += Buffer.byteLength(json);
    if (bytes > maxBytes) throw new ItemError(`The body has more than ${maxBytes / 1_048_576} MiB; name less of the item in it.`);
    return json;
  };
  const rendered = (value: unknown): string => {
    if (typeof value === 'string') return counted(renderedString(value, contents));
    if (Array.isArray(value)) return `[${value.map(rendered).join(',')}]`;
    if (typeof value !== 'object' || value === null) return counted(JSON.stringify(value) ?? 'null');
    const members = Object.entries(value).map(([name, member]) => `${counted(JSON.stringify(name))}:${rendered(member)}`);
    return `{${members.join(',')}}`;
  };
  return rendered(body);
}

function renderedString(text: string, contents: Named): string {
  const [whole, root = '', path = ''] = text.matchAll(placeholder).next().value ?? [];
  if (whole === text) return JSON.stringify(fieldOf(contents, root, path));
  let bytes = 0;
  const replaced = text.replaceAll(placeholder, (_all, name: string, fields: string) => {
    const inserted = textOf(fieldOf(contents, name, fields));
    bytes += inserted.length;
    if (bytes > maxBytes) throw new ItemError(`The body has more than ${maxBytes / 1_048_576} MiB; name less of the item in it.`);
    return inserted;
  });
  return JSON.stringify(replaced);
}

/** A text as it is, any other value as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null');
}

function fieldOf(contents: Named, root: string, path: string): unknown {
  // Not all secrets at once.
  if (root === 'secret' && path === '') return '{{secret}}';
  let value = contents[root as keyof Named] as unknown;
  for (const name of path.split('.').slice(1)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      throw new ItemError(
        `The item has no ${root}${cutText(path, 200)}; add it to the item, or take {{${root}${cutText(path, 200)}}} out of the body.`,
      );
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
