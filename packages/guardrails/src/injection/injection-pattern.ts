/** A pattern of a prompt injection with its score: how sure it is that a text with it is one, 0 to 1. */
export interface InjectionPattern {
  /** Matched in either case; RE2 syntax. */
  pattern: string;
  score: number;
}
