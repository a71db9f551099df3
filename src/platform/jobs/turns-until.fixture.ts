/** How many turns others have had until a piece of work is done; 0: it was done in one go. */
export async function turnsUntil(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let counting = setImmediate(function count() {
    turns += 1;
    counting = setImmediate(count);
  });
  await work.finally(() => clearImmediate(counting));
  return turns;
}
