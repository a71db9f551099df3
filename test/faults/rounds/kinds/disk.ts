import { setTimeout as delay } from 'node:timers/promises';
import { send } from '../api.ts';
import { operations, parts } from '../../layer/disk-layer.ts';
import type { DiskLayer } from '../../layer/disk-layer.ts';
import type { Random } from '../random.ts';
import type { Subject } from '../subject.ts';
import { startAndVerify, withSubject } from '../round.ts';
import type { Round } from '../round.ts';

/** How long the service may take to recover once the disk works again. */
const recoveryMs = 30_000;
const places = ['wal', 'clickhouse', 'postgres', 'all'] as const;
type Place = (typeof places)[number];

/**
 * Fills the disk, makes it fail with EIO or slows it down under load, in one part or in all. Afterwards the service must recover by itself;
 * only after an EIO of the log it must be restarted.
 */
export const diskRound: Round = (given) =>
  withSubject(given, {}, async (subject, layer) => {
    if (!layer) throw new Error('a disk that fails needs the layer');
    const { random } = given;
    await subject.start();
    subject.load({ persistent: true });
    await delay(random.whole(100, 800));
    const place = random.pick(places);
    const fault = random.pick(['full', 'full', 'error', 'slow'] as const);
    const faults: string[] = [];
    const what = await meet(layer, random, place, fault, () => faultTime(subject, random, fault === 'full' && place, faults));
    if (fault === 'error' && (place === 'wal' || place === 'all')) {
      await subject.stopLoad();
      await subject.service.stop('SIGTERM');
      return { what, times: 1, faults: [...faults, ...(await startAndVerify(subject))] };
    }
    await goesOn(subject, faults);
    await subject.stopLoad();
    faults.push(...(await subject.verify()), ...(await subject.end()));
    return { what, times: 1, faults };
  });

async function meet(
  layer: DiskLayer,
  random: Random,
  place: Place,
  fault: 'full' | 'error' | 'slow',
  meanwhile: () => Promise<void>,
): Promise<string> {
  const before = layer.injected();
  const bytes = random.pick([0, random.whole(0, 4_000), random.whole(0, 3_000_000)]);
  const microseconds = random.whole(2_000, 60_000);
  const met = parts[place];
  if (fault === 'full') layer.set({ space: { parts: met, bytes } });
  else if (fault === 'error') {
    // chDB 3.4.0 completes a merge although one of its writes failed (ADR 0018). Inserts are verified (disks/failed-write.test.ts).
    const spared = met & parts.clickhouse;
    const failing = random.pick(spared ? [operations.sync] : [operations.write, operations.sync]);
    layer.set({ error: { parts: met, operations: failing } });
  }
  if (fault === 'slow') layer.set({ delay: { parts: met, microseconds } });
  await meanwhile();
  layer.set({ space: null, error: null, delay: null });
  const detail = fault === 'full' ? `full after ${bytes} bytes` : fault === 'slow' ? `${microseconds / 1000} ms slower` : 'EIO';
  return `${place}: ${detail}, ${layer.injected() - before} errors`;
}

async function faultTime(subject: Subject, random: Random, full: Place | false, faults: string[]): Promise<void> {
  await delay(random.whole(500, 4_000));
  if (full !== 'wal') return;
  // Refusals tell the client to retry.
  const { url } = subject.service;
  const health = await send(`${url}/healthz`, {});
  if (health?.status !== 200) faults.push(`with a full disk /healthz answers ${health?.status}`);
}

/** Waits until requests are acknowledged and the service is ready. */
async function goesOn(subject: Subject, faults: string[]): Promise<void> {
  const { ledger } = subject;
  const acknowledged = ledger.count('acknowledged');
  for (const deadline = performance.now() + recoveryMs; performance.now() < deadline;) {
    const ready = await send(`${subject.service.url}/readyz`, {});
    if (ready?.status === 200 && ledger.count('acknowledged') > acknowledged) return;
    await delay(100);
  }
  const ready = await send(`${subject.service.url}/readyz`, {});
  faults.push(
    `${recoveryMs} ms after the fault it has not recovered: ${ledger.count('acknowledged') - acknowledged} acknowledged, /readyz ${ready?.status} ${JSON.stringify(ready?.body)}`,
  );
}
