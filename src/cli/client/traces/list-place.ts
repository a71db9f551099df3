/** Where a list of traces continues. */
export interface ListPlace {
  /** The cursor of the service, which takes it only with the filters that it was given for. */
  cursor: string | null;
  /** When the list begins, milliseconds since 1970; undefined without `--last`. */
  fromMs: number | undefined;
}

/** A place as `--cursor` takes it: with the beginning of the list, since `--last` at a later time would give another one. */
export function writePlace({ cursor, fromMs }: ListPlace): string | null {
  return cursor === null || fromMs === undefined ? cursor : `${fromMs}.${cursor}`;
}

/** Reads a place. The cursor of the service, which has no full stop, is one too. */
export function readPlace(text: string): ListPlace {
  const [, from, cursor = text] = /^(\d{1,13})\.(.*)$/s.exec(text) ?? [];
  return { cursor, fromMs: from === undefined ? undefined : Number(from) };
}
