/** Whether `npm run test:nightly` runs the tests. */
export const isNightly = process.env['SPANWISE_TEST_NIGHTLY'] !== undefined;

/** How many random cases a property test runs in `npm test`, and in `npm run test:nightly`, which runs every file that calls this. `RUNS` sets another count. */
export function runs({ usual, nightly }: { usual: number; nightly: number }): number {
  return Number(process.env['RUNS'] ?? (isNightly ? nightly : usual));
}
