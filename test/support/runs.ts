/**
 * How many random cases a property test runs in `npm test`, and in `npm run test:servers`, which contains every file that calls this. `RUNS` sets another
 * count.
 */
export function runs({ embedded, servers }: { embedded: number; servers: number }): number {
  return Number(process.env['RUNS'] ?? (process.env['SPANWISE_TEST_CLICKHOUSE_URL'] === undefined ? embedded : servers));
}
