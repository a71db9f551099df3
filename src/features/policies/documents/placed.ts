/** A value of a YAML document with its place. Offsets are in UTF-16 units of the text. */
export type PlacedValue = PlacedMapping | PlacedList | PlacedScalar;

export interface PlacedMapping {
  type: 'mapping';
  offset: number;
  entries: ReadonlyMap<string, PlacedEntry>;
}

export interface PlacedList {
  type: 'list';
  offset: number;
  items: readonly PlacedValue[];
}

export interface PlacedScalar {
  type: 'scalar';
  offset: number;
  value: string | number | boolean | null;
}

export interface PlacedEntry {
  /** Where the key is. */
  offset: number;
  value: PlacedValue;
}

/** A fault of a text. The message is one or two sentences. */
export interface TextFault {
  offset: number;
  message: string;
}
