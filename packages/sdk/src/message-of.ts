/** What something that was thrown says, whatever it is. Never throws. */
export function messageOf(thrown: unknown): string {
  try {
    const message = (thrown as { message?: unknown } | null | undefined)?.message;
    return typeof message === 'string' ? message : String(thrown);
  } catch {
    return 'unreadable';
  }
}

/** What was thrown, as an error. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(messageOf(thrown));
}
