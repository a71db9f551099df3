import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { dayMs, nowMs, openComplianceService } from '../src/features/compliance/compliance-service.fixture.ts';
import type { Figure } from './figure.ts';

// Generates and verifies packs of a year of audit entries on an embedded PostgreSQL, in a process of its own.

const [entries = 0, rounds = 0] = process.argv.slice(2).map(Number);
const chunk = 5_000;

const service = await openComplianceService();
const project = await service.project();
const kinds = [
  'member.added',
  'auth.login',
  'api_key.created',
  'policy.applied',
  'retention.deleted',
  'prompt.labels_moved',
] as const;
const detailOf = (n: number) => ({
  name: `record ${n}`,
  prefix: 'spw_abc',
  address: '192.0.2.1',
  email: `user-${n}@example.com`,
  role: 'viewer',
});
for (let at = 0; at < entries; at += chunk) {
  const records = Array.from({ length: Math.min(chunk, entries - at) }, (_, n) => ({
    kind: kinds[n % kinds.length] ?? 'auth.login',
    detail: detailOf(at + n) as never,
    subject: `subject ${n}`,
  }));
  await service.audit(project, nowMs - 365 * dayMs + (at / entries) * 365 * dayMs, ...records);
}

const year = { framework: 'soc2', from: new Date(nowMs - 366 * dayMs).toISOString(), to: new Date(nowMs).toISOString() };
const [generated, verified, delays, megabytes]: [number[], number[], number[], number[]] = [[], [], [], []];
const delay = monitorEventLoopDelay({ resolution: 5 });
for (let round = 0; round < rounds; round++) {
  delay.reset();
  delay.enable();
  const before = process.memoryUsage().rss;
  const start = performance.now();
  const pack = await service.pack(project, year);
  generated.push(performance.now() - start);
  const between = performance.now();
  const { valid } = await service.verify(project, pack);
  verified.push(performance.now() - between);
  if (!valid) throw new Error('the pack does not verify');
  delay.disable();
  delays.push(delay.max / 1e6);
  megabytes.push((process.memoryUsage().rss - before) / 1_048_576);
}
await service.close();

const of = `of ${entries.toLocaleString('en')} audit entries`;
const figures: Figure[] = [
  { title: `evidence pack ${of}, generated`, values: generated, unit: 'ms', wanted: { most: 10_000 } },
  { title: '– verified, with the whole audit log', values: verified, unit: 'ms', wanted: { most: 10_000 } },
  { title: '– longest time in which the event loop stood still', values: delays, unit: 'ms', wanted: { most: 300 } },
  { title: '– growth of resident memory', values: megabytes, unit: 'MB' },
];
process.send?.(figures);
