import { setTimeout as delay } from 'node:timers/promises';
import { read } from '../api.ts';
import { cutPower, Snapshot } from '../../layer/roll-back.ts';
import { startService, testApiKey } from '../../../support/service.ts';
import type { Round } from '../round.ts';
import type { RoundParts } from '../round.ts';

/** Duration of a slow first start. */
const longestStartMs = 5_000;

/** Interrupts first starts on an empty directory by kills or power cuts; the next start must succeed. */
export const startRound: Round = async (given) => {
  const { random, template, library } = given;
  const directory = template.round({ empty: true });
  const layer = library?.layer(directory.path) ?? null;
  const cuts = layer !== null && random.chance(0.6);
  const what: string[] = [];
  let printed = '';
  try {
    for (let time = random.whole(1, 3); time > 0; time--) {
      const snapshot = cuts ? new Snapshot(directory.path, `${directory.path}.before`) : null;
      const after = random.whole(100, longestStartMs);
      await killedStart(directory.path, layer?.environment({ journaled: cuts }) ?? {}, after);
      if (snapshot && layer) cut(given, snapshot, layer.journal);
      what.push(`${cuts ? 'power cut' : 'killed'} after ${after} ms`);
    }
    const service = await startService({
      dataDirectory: directory.path,
      env: { SPANWISE_LOG_LEVEL: 'error' },
      onOutput: (text) => (printed += text),
    });
    const faults: string[] = [];
    try {
      const { projectId } = await service.signIn();
      const whoami = await read(`${service.url}/v1/sdk/whoami`, { 'x-api-key': testApiKey });
      if (whoami.projectId !== projectId) faults.push('the first key is of another project than the first one');
    } finally {
      if ((await service.stop('SIGTERM')) !== 0) faults.push('SIGTERM did not end it with 0');
    }
    return { what: what.join(', '), times: what.length, faults, subject: null };
  } catch (error) {
    return { what: what.join(', '), times: what.length, faults: [`${String(error)}\n${printed.slice(-1500)}`], subject: null };
  } finally {
    layer?.close();
    directory.remove();
  }
};

function cut({ names, random }: RoundParts, snapshot: Snapshot, journal: string): void {
  cutPower(snapshot, journal, { names, survivors: random.pick(['none', 'some'] as const), random: random.next });
}

async function killedStart(dataDirectory: string, env: Record<string, string>, afterMs: number): Promise<void> {
  const starting = startService({
    dataDirectory,
    env,
    onChild: (child) => void delay(afterMs).then(() => child.kill('SIGKILL')),
  });
  await starting.then(
    (service) => service.stop('SIGKILL'),
    () => undefined,
  );
}
