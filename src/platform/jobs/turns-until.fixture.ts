/** Turns of the event loop until a promise settles; 0: it settled within one turn. */
export async function turnsUntil(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let counting = setImmediate(function count() {
    turns += 1;
    counting = setImmediate(count);
  });
  await work.finally(() => clearImmediate(counting));
  return turns;
}
