/** How many random cases a property test runs in `npm test`, and in `npm run test:nightly`, which runs every file that calls this. `RUNS` sets another count. */
export function runs({ usual, nightly }: { usual: number; nightly: number }): number {
  return Number(process.env['RUNS'] ?? (process.env['SPANWISE_TEST_NIGHTLY'] === undefined ? usual : nightly));
}
