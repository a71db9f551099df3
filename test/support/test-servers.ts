const named = (variable: string): string | null => process.env[variable] || null;

/** The servers that the environment names for tests; `npm run test:servers` sets the variables. */
export const testServers = {
  postgres: named('SPANWISE_TEST_DATABASE_URL'),
  clickhouse: named('SPANWISE_TEST_CLICKHOUSE_URL'),
  redis: named('SPANWISE_TEST_REDIS_URL'),
} as const;
