/** Values of `{name:Type}` in a statement, by name. */
export type QueryParameters = Readonly<Record<string, unknown>>;
