/** What a call returns; undefined when it throws. */
export function safely<R>(call: () => R): R | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
