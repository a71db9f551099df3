/**
 * How many random cases a property test runs that both `npm test` and `npm run test:servers` contain. The servers' run has the full count;
 * `RUNS` sets another one.
 */
export function runs({ embedded, servers }: { embedded: number; servers: number }): number {
  return Number(process.env['RUNS'] ?? (process.env['SPANWISE_TEST_CLICKHOUSE_URL'] === undefined ? embedded : servers));
}
