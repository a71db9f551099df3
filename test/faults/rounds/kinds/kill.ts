import { setTimeout as delay } from 'node:timers/promises';
import { failpoints } from '../../../../src/platform/failpoint/failpoint.ts';
import { operations, parts } from '../../layer/disk-layer.ts';
import type { DiskLayer } from '../../layer/disk-layer.ts';
import type { Random } from '../random.ts';
import type { Subject } from '../subject.ts';
import { startAndVerify, withSubject } from '../round.ts';
import type { Round } from '../round.ts';

/** Several kills per round: a kill costs less than the final comparison. */
const maxTimes = 12;
/** Maximum wait for a failpoint. */
const failpointPatienceMs = 4_000;
/** Offset of the clock that makes an hour due for sealing. */
const sealingMs = 60_000;

/**
 * Kills the process several times in a row: at a random moment, at a failpoint, or before or after the nth write, sync or change of a name
 * in one of its parts. A kill can hit the recovery from the one before.
 */
export const killRound: Round = (given) =>
  withSubject(given, {}, async (subject, layer) => {
    const { random } = given;
    const times = random.whole(1, maxTimes);
    const what: string[] = [];
    for (let time = 0; time < times; time++) what.push(await killOnce(subject, layer, random));
    layer?.set({ kill: null });
    return { what: what.join(', '), times, faults: await startAndVerify(subject) };
  });

/** Starts, loads and kills the process; returns a description of the kill. */
export async function killOnce(subject: Subject, layer: DiskLayer | null, random: Random): Promise<string> {
  const way = random.pick(layer ? ['moment', 'failpoint', 'failpoint', 'operation'] : ['moment', 'failpoint']);
  layer?.set({ kill: null });
  if (way === 'failpoint') {
    const failpoint = `${random.pick(failpoints)}:${random.whole(1, 3)}`;
    if (!(await subject.startUnlessKilled({ SPANWISE_FAILPOINT: failpoint }))) return `${failpoint} at the start`;
    subject.load({ persistent: false });
    await delay(700);
    // An hour is sealed after a quiet time.
    subject.setClock(subject.nowMs() - Date.now() + sealingMs);
    const reached = await subject.ends(failpointPatienceMs);
    await subject.kill();
    return reached ? failpoint : `${failpoint} not reached`;
  }
  if (way === 'operation' && layer) {
    const part = random.pick(['wal', 'clickhouse', 'postgres'] as const);
    const operation = random.pick(['write', 'sync', 'name'] as const);
    const afterwards = random.chance(0.5);
    await subject.start();
    subject.load({ persistent: false });
    await delay(random.whole(50, 700));
    const countdown = random.whole(1, 40);
    layer.set({ kill: { parts: parts[part], operations: operations[operation], countdown, afterwards } });
    await subject.ends(failpointPatienceMs);
    await subject.kill();
    layer.set({ kill: null });
    return `${afterwards ? 'after' : 'before'} ${operation} ${countdown} of ${part}`;
  }
  await subject.start();
  subject.load({ persistent: false });
  const after = random.whole(20, 2_500);
  await delay(after);
  await subject.kill();
  return `after ${after} ms`;
}
