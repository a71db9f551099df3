import type { Scanner } from '../scanner.ts';

/** A kind of personal data. */
export interface Entity<Name extends string = string> {
  /** What a configuration and the matches call it. */
  name: Name;
  /** For people. */
  title: string;
  scannerFor(options: EntityOptions): Scanner;
}

interface EntityOptions {
  /** By ISO 3166-1. */
  phoneRegions: readonly string[];
}

/** Declares an entity that one scanner finds. Its label is the name. */
export function entity<const Name extends string>(title: string, scanner: Scanner & { label: Name }): Entity<Name> {
  return { name: scanner.label, title, scannerFor: () => scanner };
}
