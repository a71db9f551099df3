/** Calculations that may take long; implemented by `MeasureThread`. Errors: `EvaluationError`. */
export interface Calculations {
  /** 1 - edit distance / length of the longer text, from 0 to 1. */
  similarity(left: string, right: string): Promise<number>;
  /** The first problem of a value under a JSON Schema, null when it is valid. */
  schemaProblem(schema: object, value: unknown): Promise<string | null>;
  /** Why a JSON Schema cannot be used, null when it can; completes the sentence "the schema ...". */
  refusedSchema(schema: object): Promise<string | null>;
  /** Whether a text contains another. */
  contains(text: string, value: string, ignoreCase: boolean): Promise<boolean>;
  /** Whether a text has a match of an RE2 pattern. */
  found(pattern: string, flags: string, text: string): Promise<boolean>;
}
