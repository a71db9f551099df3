/**
 * The approximate length of a value's JSON in characters. Stops at `limit`, which bounds the time for large values.
 */
export function jsonSize(value: unknown, limit: number): number {
  let size = 0;
  const stack: unknown[] = [value];
  while (stack.length > 0 && size < limit) {
    const next = stack.pop();
    if (typeof next === 'string') size += next.length + 2;
    else if (Array.isArray(next)) {
      size += 2 + next.length;
      // Elements beyond the limit cannot change the result.
      for (let index = 0; index < next.length && index < limit; index++) stack.push(next[index]);
    } else if (typeof next === 'object' && next !== null) {
      for (const [key, member] of Object.entries(next)) {
        size += key.length + 4;
        stack.push(member);
      }
    } else size += 5;
  }
  return size;
}
