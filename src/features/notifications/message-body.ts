import type { NotificationType } from '../../contract/notifications.ts';

/** Receivers commonly refuse bodies of over a megabyte. */
const maxBodyBytes = 256 * 1024;

/**
 * The body of webhooks: `{type, timestamp, data}` as JSON. Of a record that makes it larger than 256 KiB the longest lists are shortened, the last elements
 * first; one that is larger without any list is sent whole.
 */
export function messageBody(type: NotificationType, timestamp: string, data: Readonly<Record<string, unknown>>): string {
  let shortened = data;
  for (;;) {
    const body = JSON.stringify({ type, timestamp, data: shortened });
    if (Buffer.byteLength(body) <= maxBodyBytes) return body;
    const longest = longestList(shortened);
    if (longest === null) return body;
    const [field, list] = longest;
    shortened = { ...shortened, [field]: list.slice(0, Math.floor(list.length / 2)) };
  }
}

/** The list with the longest JSON; null when every list is empty. */
function longestList(data: Readonly<Record<string, unknown>>): [string, readonly unknown[]] | null {
  const lists = Object.entries(data).flatMap(([field, value]): Array<[string, readonly unknown[], number]> =>
    Array.isArray(value) && value.length > 0 ? [[field, value, JSON.stringify(value).length]] : [],
  );
  const [longest] = lists.toSorted((left, right) => right[2] - left[2]);
  return longest ? [longest[0], longest[1]] : null;
}
