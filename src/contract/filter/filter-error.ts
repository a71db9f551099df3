/** A filter that cannot be read: what is wrong, and where. */
export class FilterError extends Error {
  /** Offset in UTF-16 units. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** The nearest name of a field, or the nearest value of a closed set. */
  readonly suggestion: string | undefined;

  constructor(message: string, at: { start: number; end: number }, suggestion?: string) {
    super(message);
    this.name = 'FilterError';
    this.start = at.start;
    this.end = at.end;
    this.suggestion = suggestion;
  }
}
