import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, documentedVariables, readConfig, unknownVariables } from './config.ts';
import { makeApiKey } from './contract/api-key.ts';

const servers = { DATABASE_URL: 'postgres://db/spanwise', CLICKHOUSE_URL: 'http://clickhouse:8123' };

function refusal(environment: Record<string, string>): string {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  return expect.unreachable('it was accepted');
}

test('a misspelt variable is named with the nearest one', () => {
  expect(
    unknownVariables({ SPANWISE_PROT: '1', SPANWISE_PORT: '1', SPANWISE_TOKEN: 'x', SPANWISE_TEST_X: '1', OTHER: '1' }),
  ).toEqual(['SPANWISE_PROT is no setting and has no effect; did you mean SPANWISE_PORT?']);
});

test("Kubernetes' variables of a Service named spanwise are neither settings nor named", () => {
  const links = {
    SPANWISE_PORT: 'tcp://10.96.0.7:4318',
    SPANWISE_SERVICE_HOST: '10.96.0.7',
    SPANWISE_SERVICE_PORT: '4318',
    SPANWISE_SERVICE_PORT_HTTP: '4318',
    SPANWISE_PORT_4318_TCP: 'tcp://10.96.0.7:4318',
    SPANWISE_PORT_4318_TCP_ADDR: '10.96.0.7',
    SPANWISE_PORT_4318_TCP_PORT: '4318',
    SPANWISE_PORT_4318_TCP_PROTO: 'tcp',
    SPANWISE_METRICS_PORT: 'tcp://10.96.0.8:9464',
    SPANWISE_METRICS_SERVICE_HOST: '10.96.0.8',
  };
  expect(unknownVariables(links)).toEqual([]);
  expect(readConfig(links)).toEqual(readConfig({}));
  expect(refusal({ SPANWISE_PORT: 'http://10.96.0.7' })).toMatch(/^SPANWISE_PORT: /);
});

test('the defaults are the embedded stores and the loopback address', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    port: 4318,
    dataDirectory: resolve('data'),
    databaseUrl: null,
    clickhouseUrl: null,
    clickhouseCluster: null,
    redisUrl: null,
    publicUrl: null,
    secretKey: null,
    adminEmail: null,
    adminPassword: null,
    apiKey: null,
    metricsPort: null,
    metricsPublic: false,
    logLevel: 'info',
    walLimitBytes: 1_073_741_824,
    maxRequestMiB: 1,
    ingestRate: 300,
    guardrailRate: 6_000,
    strictEnvironments: false,
    alertIntervalMs: 60_000,
    outgoingAllow: ['127.0.0.0/8', '::1'],
    outgoingAllowWhileAlone: true,
    smtpUrl: null,
    mailFrom: null,
    mailRecipients: 'anyone',
    organizationCreation: 'owners',
    defaultPlan: 'scale',
    role: 'all',
    trustProxy: false,
    failpoint: null,
  });
});

test('an empty variable counts as absent, and unknown variables are ignored', () => {
  const empty = Object.fromEntries(documentedVariables().map(({ name }) => [name, '']));
  expect(readConfig({ ...empty, PATH: '/bin', SPANWISE_OTHER: 'x' })).toEqual(readConfig({}));
});

test('every variable is read', () => {
  const apiKey = makeApiKey();
  expect(
    readConfig({
      ...servers,
      SPANWISE_HOST: '::',
      SPANWISE_PORT: '0',
      SPANWISE_DATA_DIR: '/var/lib/spanwise',
      CLICKHOUSE_CLUSTER: 'main',
      REDIS_URL: 'redis://redis:6379',
      SPANWISE_PUBLIC_URL: 'https://spanwise.example.com/',
      SPANWISE_SECRET_KEY: 'ab'.repeat(32),
      SPANWISE_ADMIN_EMAIL: 'owner@example.com',
      SPANWISE_ADMIN_PASSWORD: 'correct horse',
      SPANWISE_API_KEY: apiKey,
      SPANWISE_METRICS_PORT: '0',
      SPANWISE_METRICS_PUBLIC: 'true',
      SPANWISE_LOG_LEVEL: 'silent',
      SPANWISE_WAL_LIMIT_MB: '16',
      SPANWISE_MAX_REQUEST_MIB: '64',
      SPANWISE_INGEST_RATE: '100000',
      SPANWISE_GUARDRAIL_RATE: '60',
      SPANWISE_STRICT_ENVIRONMENTS: 'true',
      SPANWISE_ALERT_INTERVAL_S: '5',
      SPANWISE_OUTGOING_ALLOW: '10.0.0.0/8, ::1',
      SPANWISE_SMTP_URL: 'smtps://user:p%40ss@mail.internal',
      SPANWISE_MAIL_FROM: 'Spanwise <spanwise@example.com>',
      SPANWISE_MAIL_RECIPIENTS: 'Example.com, @example.org',
      SPANWISE_ORGANIZATION_CREATION: 'operators',
      SPANWISE_DEFAULT_PLAN: 'pro',
      SPANWISE_ROLE: 'worker',
      SPANWISE_TRUST_PROXY: 'true',
      SPANWISE_FAILPOINT: 'after-commit:3',
    }),
  ).toEqual({
    host: '::',
    port: 0,
    dataDirectory: join('/var/lib/spanwise'),
    databaseUrl: servers.DATABASE_URL,
    clickhouseUrl: servers.CLICKHOUSE_URL,
    clickhouseCluster: 'main',
    redisUrl: 'redis://redis:6379',
    publicUrl: 'https://spanwise.example.com/',
    secretKey: 'ab'.repeat(32),
    adminEmail: 'owner@example.com',
    adminPassword: 'correct horse',
    apiKey,
    metricsPort: 0,
    metricsPublic: true,
    logLevel: 'silent',
    walLimitBytes: 16 * 1_048_576,
    maxRequestMiB: 64,
    ingestRate: 100_000,
    guardrailRate: 60,
    strictEnvironments: true,
    alertIntervalMs: 5_000,
    outgoingAllow: ['10.0.0.0/8', '::1'],
    outgoingAllowWhileAlone: false,
    smtpUrl: 'smtps://user:p%40ss@mail.internal',
    mailFrom: 'Spanwise <spanwise@example.com>',
    mailRecipients: ['example.com', 'example.org'],
    organizationCreation: 'operators',
    defaultPlan: 'pro',
    role: 'worker',
    trustProxy: 1,
    failpoint: 'after-commit:3',
  });
});

test.each([
  ['false', false],
  ['true', 1],
  ['0', false],
  ['2', 2],
  ['10.0.0.0/8, fd00::/8,192.0.2.1', ['10.0.0.0/8', 'fd00::/8', '192.0.2.1']],
])('proxies that are trusted: %s', (text, trustProxy) => {
  expect(readConfig({ SPANWISE_TRUST_PROXY: text }).trustProxy).toEqual(trustProxy);
});

test.each(['A'.repeat(43) + '=', 'a passphrase of thirty-two letters'])(
  'the secret may be base64 or a passphrase: %s',
  (secret) => {
    expect(readConfig({ SPANWISE_SECRET_KEY: secret }).secretKey).toBe(secret);
  },
);

const bad: Array<[name: string, value: string]> = [
  ['SPANWISE_HOST', 'http://0.0.0.0'],
  ['SPANWISE_HOST', '300 .1'],
  ['SPANWISE_PORT', 'zxcv'],
  ['SPANWISE_PORT', '65536'],
  ['SPANWISE_PORT', '-1'],
  ['SPANWISE_PORT', '0x1f'],
  ['SPANWISE_PORT', '1e3'],
  ['SPANWISE_PORT', '80.5'],
  ['SPANWISE_PORT', ' 8080'],
  ['SPANWISE_DATA_DIR', 'da\0ta'],
  ['DATABASE_URL', 'mysql://u:hunter2@db/x'],
  ['DATABASE_URL', 'db.internal:5432'],
  ['CLICKHOUSE_URL', 'clickhouse://u:hunter2@ch'],
  ['CLICKHOUSE_CLUSTER', "x'; DROP TABLE spans"],
  ['REDIS_URL', 'http://redis'],
  ['REDIS_URL', 'redis://redis/first'],
  ['REDIS_URL', 'redis://u:hunter2%@redis'],
  ['SPANWISE_PUBLIC_URL', 'spanwise.internal'],
  ['SPANWISE_PUBLIC_URL', 'https://proxy.internal/under/a/path'],
  ['SPANWISE_SECRET_KEY', 'hunter2'],
  ['SPANWISE_SECRET_KEY', 'k'.repeat(1_025)],
  ['SPANWISE_ADMIN_EMAIL', 'the owner'],
  ['SPANWISE_ADMIN_EMAIL', `owner@${'sub.'.repeat(62)}example.com`],
  ['SPANWISE_ADMIN_PASSWORD', 'hunter2'],
  ['SPANWISE_API_KEY', 'spw_hunter2'],
  ['SPANWISE_API_KEY', `spw_${'0'.repeat(35)}1`],
  ['SPANWISE_METRICS_PORT', 'yes'],
  ['SPANWISE_METRICS_PUBLIC', 'yes'],
  ['SPANWISE_LOG_LEVEL', 'verbose'],
  ['SPANWISE_WAL_LIMIT_MB', '15'],
  ['SPANWISE_OUTGOING_ALLOW', '10.0.0.0/33'],
  ['SPANWISE_OUTGOING_ALLOW', 'localhost'],
  ['SPANWISE_OUTGOING_ALLOW', '172.16.0.0/12,'],
  ['SPANWISE_GUARDRAIL_RATE', '-5'],
  ['SPANWISE_STRICT_ENVIRONMENTS', 'yes'],
  ['SPANWISE_MAX_REQUEST_MIB', '65'],
  ['SPANWISE_INGEST_RATE', '299'],
  ['SPANWISE_SMTP_URL', 'relay.internal:25'],
  ['SPANWISE_SMTP_URL', 'http://u:hunter2@mail.internal'],
  ['SPANWISE_SMTP_URL', 'smtp://u:hunter2@mail.internal/path'],
  ['SPANWISE_SMTP_URL', 'smtp://u:hunter2@mail.internal?tls.rejectUnauthorized=false'],
  ['SPANWISE_SMTP_URL', 'smtp://u:%zz@mail.internal'],
  ['SPANWISE_MAIL_FROM', 'the alerts'],
  ['SPANWISE_MAIL_FROM', 'a@example.com, b@example.com'],
  ['SPANWISE_MAIL_FROM', 'Alerts <a@example.com>\r\nBcc: <b@example.com>'],
  ['SPANWISE_ALERT_INTERVAL_S', 'never'],
  ['SPANWISE_WAL_LIMIT_MB', 'much'],
  ['SPANWISE_ROLE', 'everything'],
  ['SPANWISE_MAIL_RECIPIENTS', 'memebers'],
  ['SPANWISE_MAIL_RECIPIENTS', 'members,example.com'],
  ['SPANWISE_TRUST_PROXY', 'yes'],
  ['SPANWISE_TRUST_PROXY', '11'],
  ['SPANWISE_TRUST_PROXY', '-1'],
  ['SPANWISE_TRUST_PROXY', '10.0.0.0/33'],
  ['SPANWISE_TRUST_PROXY', '10.0.0.0/8,'],
  ['SPANWISE_TRUST_PROXY', 'proxy.internal'],
  ['SPANWISE_ORGANIZATION_CREATION', 'everyone'],
  ['SPANWISE_DEFAULT_PLAN', 'gold'],
  ['SPANWISE_FAILPOINT', 'somewhere'],
];

test.each(bad)(
  '%s=%j is rejected in one line that names the variable, gives an example and does not repeat the value',
  (name, value) => {
    const message = refusal({ [name]: value });
    expect(message).toMatch(new RegExp(`^${name}: (must|needs) .*for example .+$`));
    expect(message).not.toContain('\n');
    expect(message).not.toContain(value);
  },
);

test('every variable has an invalid value above', () => {
  expect(new Set(bad.map(([name]) => name))).toEqual(new Set(documentedVariables().map(({ name }) => name)));
});

test('of several invalid values one is reported', () => {
  expect(refusal({ SPANWISE_PORT: 'x', SPANWISE_ROLE: 'x' })).toMatch(/^SPANWISE_PORT: [^\n]+$/);
});

test.each([
  ['CLICKHOUSE_CLUSTER', { CLICKHOUSE_CLUSTER: 'main' }],
  ['SPANWISE_ROLE', { SPANWISE_ROLE: 'api' }],
  ['SPANWISE_ROLE', { SPANWISE_ROLE: 'worker', DATABASE_URL: servers.DATABASE_URL }],
  ['SPANWISE_METRICS_PORT', { SPANWISE_METRICS_PORT: '4318' }],
])('%s is refused where it contradicts another', (name, environment) => {
  expect(refusal(environment as Record<string, string>)).toMatch(new RegExp(`^${name}: (must|needs) .*for example [^\n]+$`));
});

test('port 0 may be given twice', () => {
  expect(readConfig({ SPANWISE_PORT: '0', SPANWISE_METRICS_PORT: '0' })).toMatchObject({ port: 0, metricsPort: 0 });
});

test('every variable is documented, with the default that it has', () => {
  for (const { name, default: byDefault, description } of documentedVariables()) {
    expect(description, name).not.toBe('');
    if (byDefault !== '') expect(readConfig({ [name]: byDefault })).toEqual(readConfig({}));
  }
});

test('loopback addresses are reachable by default only without a public URL', () => {
  const SPANWISE_PUBLIC_URL = 'https://spanwise.example.com';
  expect(readConfig({ SPANWISE_PUBLIC_URL }).outgoingAllow).toEqual([]);
  expect(readConfig({ SPANWISE_PUBLIC_URL, SPANWISE_OUTGOING_ALLOW: '127.0.0.1' }).outgoingAllow).toEqual(['127.0.0.1']);
});
