import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { failpoints } from '../../../../src/platform/failpoint/failpoint.ts';
import { parts } from '../../layer/disk-layer.ts';
import { cutPower, Snapshot } from '../../layer/roll-back.ts';
import type { Random } from '../random.ts';
import type { Subject } from '../subject.ts';
import { startAndVerify, withSubject } from '../round.ts';
import type { Round } from '../round.ts';

/** Several cuts per round: a cut costs less than the final comparison. */
const maxTimes = 4;
const sealingMs = 60_000;
const failpointPatienceMs = 3_000;

/**
 * Cuts the power several times in a row: kills the process and rolls its directory back to the synced state, with none or a random, torn
 * part of the unsynced changes. A cut can hit the recovery from the one before.
 */
export const powerRound: Round = (given) =>
  withSubject(given, { journaled: true }, async (subject, layer) => {
    if (!layer) throw new Error('a power cut needs the layer');
    const { random, names } = given;
    const what: string[] = [];
    // The planted fault must be detected: it loses events that only the log has.
    const planted = given.forgottenSyncs;
    if (planted) layer.set({ forgottenSyncs: parts.wal });
    const times = planted ? 1 : random.whole(1, maxTimes);
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

/** Sends until the process has ended at its failpoint, or the maximum wait is over. */
async function untilReached(subject: Subject): Promise<void> {
  await delay(700);
  // An hour is sealed after a quiet time.
  subject.setClock(subject.nowMs() - Date.now() + sealingMs);
  await subject.ends(failpointPatienceMs);
}

function pickFailpoint(random: Random): string | null {
  return random.chance(0.4) ? `${random.pick(failpoints)}:${random.whole(1, 3)}` : null;
}
