import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { parse, parseAllDocuments } from 'yaml';
import { describe, expect, test } from 'vitest';
import { documentedVariables, readConfig } from '../src/config.ts';
import { sizingOf, sizingTable } from './sizing.ts';

type Yaml = ReturnType<typeof JSON.parse>;

const here = import.meta.dirname;
const text = (file: string) => readFile(join(here, file), 'utf8');
const known = new Set(documentedVariables().map(({ name }) => name));
const compose = async (): Promise<Yaml> => parse(await text('compose.yaml'), { merge: true });

async function manifests(): Promise<Yaml[]> {
  const files = await Promise.all(['kubernetes/spanwise.yaml', 'kubernetes/secret.example.yaml'].map(text));
  return files.flatMap((file) =>
    parseAllDocuments(file).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS() as Yaml;
    }),
  );
}
async function manifest(kind: string, name = 'spanwise'): Promise<Yaml> {
  const found = (await manifests()).find((one) => one.kind === kind && one.metadata.name === name);
  expect(found, `${kind} ${name}`).toBeDefined();
  return found;
}
/** Settings in comments: an operator may uncomment them. */
const commented = (file: string) => [...file.matchAll(/^\s*# ([A-Z][A-Z_]+): /gm)].map((match) => match[1] ?? '');

describe('compose.yaml', () => {
  test('names existing settings only, with valid values', async () => {
    const { services } = await compose();
    for (const name of ['spanwise-1', 'spanwise-2']) {
      const environment = services[name].environment as Record<string, string>;
      expect(
        [...Object.keys(environment), ...commented(await text('compose.yaml'))].filter((setting) => !known.has(setting)),
      ).toEqual([]);
      const filled = Object.entries(environment).map(([setting, value]) => [
        setting,
        value.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1').replaceAll(/\$\{\w+(:\?[^}]*)?\}/g, 'x'.repeat(32)),
      ]);
      const config = readConfig(Object.fromEntries(filled) as Record<string, string>);
      expect(config).toMatchObject({ host: '0.0.0.0', trustProxy: 1, role: 'all', secretKey: 'x'.repeat(32) });
      expect(new URL(config.databaseUrl ?? '').hostname in services).toBe(true);
      expect(new URL(config.clickhouseUrl ?? '').hostname in services).toBe(true);
    }
  });

  test('gives each replica its own log volume and time to drain', async () => {
    const { services, volumes } = await compose();
    const logs = ['spanwise-1', 'spanwise-2'].map((name) => {
      const { volumes: mounted, environment, stop_grace_period: grace } = services[name];
      expect(parseInt(grace, 10)).toBeGreaterThan(25);
      const [volume, path] = String(mounted[0]).split(':');
      expect(path).toBe(environment.SPANWISE_DATA_DIR);
      return volume ?? '';
    });
    expect(new Set(logs).size).toBe(2);
    for (const log of logs) expect(log in volumes).toBe(true);
  });

  test('the proxy checks every replica at the port that it listens on', async () => {
    const proxy = await text('haproxy.cfg');
    expect(proxy).toContain('option httpchk GET /readyz');
    const servers = [...proxy.matchAll(/^ {4}server (\S+) (\S+)$/gm)].map((match) => match[2]);
    expect(servers).toEqual(['spanwise-1:4318', 'spanwise-2:4318']);
    expect(readConfig({}).port).toBe(4318);
  });

  test('every required variable is in .env.example, without a value', async () => {
    const asked = [...(await text('compose.yaml')).matchAll(/\$\{(\w+):\?/g)].map((match) => match[1]);
    const example = new Map(
      (await text('.env.example'))
        .split('\n')
        .filter((line) => /^\w/.test(line))
        .map((line) => line.split('=') as [string, string]),
    );
    for (const name of new Set(asked)) expect(example.get(name ?? ''), name).toBe('');
  });
});

describe('the Kubernetes example', () => {
  test('every object has an apiVersion, a kind and a valid name', async () => {
    for (const { apiVersion, kind, metadata } of await manifests()) {
      expect([typeof apiVersion, typeof kind]).toEqual(['string', 'string']);
      expect(metadata.name).toMatch(/^[a-z][a-z0-9-]{0,62}$/);
    }
  });

  test('names existing settings only; secrets are empty', async () => {
    const { data } = await manifest('ConfigMap');
    const { stringData } = await manifest('Secret');
    const named = [...Object.keys(data), ...Object.keys(stringData), ...commented(await text('kubernetes/spanwise.yaml'))];
    expect(named.filter((setting) => !known.has(setting))).toEqual([]);
    for (const secret of ['SPANWISE_SECRET_KEY', 'SPANWISE_ADMIN_PASSWORD', 'DATABASE_URL', 'CLICKHOUSE_URL'])
      expect(stringData[secret]).toBe('');
    expect(readConfig(data as Record<string, string>)).toMatchObject({ host: '0.0.0.0', metricsPort: 9464, trustProxy: 1 });
  });

  test('replicas keep their logs on claims of twice the log limit or more', async () => {
    const { data } = await manifest('ConfigMap');
    const { spec } = await manifest('StatefulSet');
    const [container] = spec.template.spec.containers;
    const [claim] = spec.volumeClaimTemplates;
    expect(container.volumeMounts).toContainEqual({ name: claim.metadata.name, mountPath: data.SPANWISE_DATA_DIR });
    // The root file system is read-only: what else is written to is a volume too.
    expect(container.securityContext.readOnlyRootFilesystem).toBe(true);
    expect(container.volumeMounts).toContainEqual({ name: 'tmp', mountPath: '/tmp' });
    expect(spec.template.spec.volumes).toEqual([{ name: 'tmp', emptyDir: {} }]);
    expect(parseInt(claim.spec.resources.requests.storage, 10) * 1024).toBeGreaterThan(2 * Number(data.SPANWISE_WAL_LIMIT_MB));
    expect(spec.persistentVolumeClaimRetentionPolicy).toEqual({ whenDeleted: 'Retain', whenScaled: 'Retain' });
    expect(container.envFrom).toEqual([{ configMapRef: { name: 'spanwise' } }, { secretRef: { name: 'spanwise' } }]);
  });

  test('services, selectors, ports and probes agree', async () => {
    const { data } = await manifest('ConfigMap');
    const { spec } = await manifest('StatefulSet');
    const [container] = spec.template.spec.containers;
    const { labels } = spec.template.metadata;
    const budget = await manifest('PodDisruptionBudget');
    expect(budget.spec).toEqual({ maxUnavailable: 1, selector: { matchLabels: labels } });
    expect(spec.selector.matchLabels).toEqual(labels);
    const ports = new Map(
      (container.ports as Array<{ name: string; containerPort: number }>).map((port) => [port.name, port.containerPort]),
    );
    expect([ports.get('http'), ports.get('metrics')]).toEqual([readConfig({}).port, Number(data.SPANWISE_METRICS_PORT)]);
    for (const name of ['spanwise', spec.serviceName]) {
      const service = await manifest('Service', name);
      expect(service.spec.selector).toEqual(labels);
      for (const { targetPort, port } of service.spec.ports) expect(ports.get(targetPort)).toBe(port);
    }
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' });
    expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'http' });
    expect(container.startupProbe.httpGet.path).toBe('/healthz');
    // One slow answer takes no replica out.
    expect(container.readinessProbe).toMatchObject({ timeoutSeconds: 3, failureThreshold: 2 });
    const policy = await manifest('NetworkPolicy');
    expect(policy.spec.podSelector.matchLabels).toEqual(labels);
    for (const { ports: allowed } of policy.spec.ingress) for (const { port } of allowed) expect(ports.has(port)).toBe(true);
    // A start waits up to 30 s for ClickHouse and 30 s for migrations; draining takes 25 s.
    expect(container.startupProbe.periodSeconds * container.startupProbe.failureThreshold).toBeGreaterThan(60);
    expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(25 + container.lifecycle.preStop.sleep.seconds);
  });
});

test('the Dockerfile installs every workspace, copies what the service runs, and starts without a shell', async () => {
  const dockerfile = await text('../Dockerfile');
  // npm ci rejects a lockfile with a workspace whose package.json is missing.
  const beforeInstall = dockerfile.slice(0, dockerfile.indexOf('RUN npm ci'));
  const { packages } = JSON.parse(await text('../package-lock.json')) as {
    packages: Record<string, { resolved?: string; link?: boolean }>;
  };
  const workspaces = Object.values(packages).flatMap(({ link, resolved }) => (link === true && resolved ? [resolved] : []));
  expect(workspaces).toContain('packages/guardrails');
  for (const folder of workspaces) expect(beforeInstall).toContain(`COPY ${folder}/package.json ${folder}/\n`);
  for (const folder of ['src', 'packages/guardrails', 'migrations', 'dist', 'node_modules'])
    expect(dockerfile).toContain(`COPY --from=build /app/${folder} ${folder}\n`);
  expect(dockerfile).toMatch(/^CMD \["node", "src\/main\.ts"\]$/m);
  // Process 1 cannot be ended by abort(), nor by its own watchdog.
  expect(dockerfile).toMatch(/^ENTRYPOINT \["tini", "--"\]$/m);
  expect(dockerfile).toMatch(/^RUN apt-get .*\btini\b/m);
  expect(dockerfile).toMatch(/^USER node$/m);
  const settings = [...dockerfile.matchAll(/\b(SPANWISE_\w+)=/g)].map((match) => match[1] ?? '');
  expect(settings.filter((setting) => !known.has(setting))).toEqual([]);
  // Official image names, without a registry host.
  const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map((match) => match[1]);
  const { services } = await compose();
  for (const { image } of Object.values<{ image: string }>(services)) images.push(image);
  for (const image of images) expect(image).toMatch(/^([a-z]+\/)?[a-z-]+(:[\w.-]+)?$/);
});

test('every supervisor starts a service again that a fatal signal has ended', async () => {
  const { services } = await compose();
  for (const name of ['spanwise-1', 'spanwise-2']) expect(services[name].restart).toBe('unless-stopped');
  // A pod is restarted by default.
  expect((await manifest('StatefulSet')).spec.template.spec.restartPolicy ?? 'Always').toBe('Always');
  const unit = new Map(
    [...(await text('systemd/spanwise.service')).matchAll(/^(\w+)=(.*)$/gm)].map((match) => [match[1] ?? '', match[2] ?? '']),
  );
  expect(unit.get('Restart')).toBe('on-failure');
  expect(unit.get('ExecStart')).toMatch(/\/node src\/main\.ts$/);
  expect(parseInt(unit.get('TimeoutStopSec') ?? '', 10)).toBeGreaterThan(25);
  const environment = unit.get('Environment') ?? '';
  const settings = [...environment.matchAll(/\b((?:SPANWISE|DATABASE|CLICKHOUSE)_\w+)=/g)].map((match) => match[1] ?? '');
  expect(settings.filter((setting) => !known.has(setting))).toEqual([]);
});

test('the Dockerfile checks the port that the container is given', async () => {
  const command = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(await text('../Dockerfile'))?.[1] ?? '[]';
  const script = (JSON.parse(command) as string[]).at(-1) ?? '';
  const asked = (env: object) => {
    const urls: string[] = [];
    const fetch = (url: string) => (urls.push(url), new Promise(() => undefined));
    runInNewContext(script, { fetch, process: { env } });
    return urls;
  };
  expect(asked({})).toEqual(['http://127.0.0.1:4318/healthz']);
  expect(asked({ SPANWISE_PORT: '' })).toEqual(['http://127.0.0.1:4318/healthz']);
  expect(asked({ SPANWISE_PORT: '8080' })).toEqual(['http://127.0.0.1:8080/healthz']);
});

describe('the sizing table', () => {
  test('in README.md is the computed one', async () => {
    expect(await text('README.md')).toContain(sizingTable());
  });

  test('matches a calculation by hand', () => {
    const figures = { spansPerReplica: 10_000, coresPerReplica: 2, clickhouseMicros: 30, logBytes: 200, storedBytes: 100 };
    expect(sizingOf(1_000_000, figures)).toEqual({
      spansPerSecond: 1_000_000,
      // 1,000,000 / (10,000 x 0.6)
      replicas: 167,
      replicaCores: 334,
      // 5,988 spans x 200 bytes x 3,600 s = 4.3 GB
      logGigabytes: 5,
      // 30 s of CPU a second at 60 %
      clickhouseCores: 50,
      clickhouseShards: 4,
      storedGigabytesPerDay: 8_640,
      keys: 391,
    });
    expect(sizingOf(1, figures)).toMatchObject({ replicas: 2, clickhouseCores: 2, keys: 1 });
  });
});
