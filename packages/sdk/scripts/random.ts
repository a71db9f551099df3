/** Numbers from 0 to 1, the same each time (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Chooses elements with the numbers of a generator. */
export function chooser(random: () => number): <T>(from: readonly T[]) => T {
  return <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T;
}
