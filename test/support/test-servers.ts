const named = (variable: string): string | null => process.env[variable] || null;

/** The servers that tests may use, where somebody has named them: `npm run test:servers` does. */
export const testServers = {
  postgres: named('SPANWISE_TEST_DATABASE_URL'),
  clickhouse: named('SPANWISE_TEST_CLICKHOUSE_URL'),
  redis: named('SPANWISE_TEST_REDIS_URL'),
} as const;
