const buffersToMove = Symbol('buffers to move');

/**
 * Marks an argument or a result of a call so that its `buffers` are transferred to the other thread instead of copied; they are empty here
 * afterwards. Returns the value.
 */
export function withTransfer<Value extends object>(value: Value, buffers: readonly ArrayBuffer[]): Value {
  // The structured clone algorithm skips properties with symbol keys.
  return Object.assign(value, { [buffersToMove]: buffers });
}

/** The buffers to transfer with some arguments or results. */
export function transferListOf(values: readonly unknown[]): ArrayBuffer[] {
  return values.flatMap((value) => (isMarked(value) ? value[buffersToMove] : []));
}

function isMarked(value: unknown): value is { [buffersToMove]: ArrayBuffer[] } {
  return typeof value === 'object' && value !== null && buffersToMove in value;
}
