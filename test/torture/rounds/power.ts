import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { failpoints } from '../../../src/platform/failpoint/failpoint.ts';
import { parts } from '../layer/disk-layer.ts';
import { cutPower, Snapshot } from '../layer/roll-back.ts';
import type { Random } from '../random.ts';
import type { Subject } from '../subject.ts';
import { startAndVerify, withSubject } from './round.ts';
import type { Round } from './round.ts';

/** A cut takes less time than comparing everything afterwards. */
const mostTimes = 4;
const sealingMs = 60_000;
const failpointPatienceMs = 3_000;

/**
 * Cuts the power, several times in a row: the process is killed, and its directory rolled back to what had been synced, with none or a
 * random part of the rest, torn. It happens perhaps while the service recovers.
 */
export const powerRound: Round = (given) =>
  withSubject(given, { journaled: true }, async (subject, layer) => {
    if (!layer) throw new Error('a power cut needs the layer');
    const { random, names } = given;
    const what: string[] = [];
    // A planted fault must show: what the log alone holds is lost then.
    const planted = given.forgottenSyncs;
    if (planted) layer.set({ forgottenSyncs: parts.wal });
    const times = planted ? 1 : random.whole(1, mostTimes);
    for (let time = 0; time < times; time++) {
      const copy = `${layer.dataDirectory}.before`;
      const snapshot = new Snapshot(layer.dataDirectory, copy);
      const failpoint = planted ? 'hours-marked:1' : pickFailpoint(random);
      const after = random.whole(50, 2_500);
      if (await subject.startUnlessKilled(failpoint === null ? {} : { SPANWISE_FAILPOINT: failpoint })) {
        subject.load({ persistent: false });
        await (failpoint === null ? delay(after) : untilReached(subject));
        await subject.kill();
      }
      const survivors = planted ? 'none' : random.pick(['none', 'some'] as const);
      cutPower(snapshot, layer.journal, { names, survivors, random: random.next });
      what.push(`${failpoint ?? `after ${after} ms`}, ${survivors} of the rest kept`);
    }
    layer.set({ forgottenSyncs: 0 });
    const faults = await startAndVerify(subject);
    rmSync(layer.journal, { force: true });
    return { what: what.join('; '), times, faults };
  });

/** Sends until the process has ended at its failpoint, or is not likely to any more. */
async function untilReached(subject: Subject): Promise<void> {
  await delay(700);
  // Sealing waits until an hour is quiet.
  subject.setClock(subject.nowMs() - Date.now() + sealingMs);
  await subject.ends(failpointPatienceMs);
}

function pickFailpoint(random: Random): string | null {
  return random.chance(0.4) ? `${random.pick(failpoints)}:${random.whole(1, 3)}` : null;
}
