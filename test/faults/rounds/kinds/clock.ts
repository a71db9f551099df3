import { setTimeout as delay } from 'node:timers/promises';
import { withSubject } from '../round.ts';
import type { Round } from '../round.ts';
import { hourMs } from '../../../../src/contract/durations.ts';

const jumps = [hourMs, -hourMs, 24 * hourMs, -24 * hourMs, 60_000, -60_000];
const senderPatienceMs = 10_000;

/** Sets the service's clock forwards and backwards under load. Requests succeed, and events are stored as sent. */
export const clockRound: Round = (given) =>
  withSubject(given, {}, async (subject) => {
    const { random } = given;
    await subject.start();
    subject.load({ persistent: true });
    const what: string[] = [];
    const faults: string[] = [];
    for (let time = random.whole(1, 4); time > 0; time--) {
      await delay(random.whole(300, 1_500));
      const jump = random.pick(jumps);
      subject.setClock(subject.nowMs() - Date.now() + jump);
      what.push(`${jump > 0 ? '+' : '-'}${Math.abs(jump) / 60_000} min`);
      const acknowledged = subject.ledger.count('acknowledged');
      const deadline = performance.now() + senderPatienceMs;
      while (subject.ledger.count('acknowledged') < acknowledged + 5 && performance.now() < deadline) await delay(50);
      if (performance.now() >= deadline) faults.push(`after ${what.join(', ')} nothing is taken any more`);
    }
    await subject.stopLoad();
    faults.push(...(await subject.verify()), ...(await subject.end()));
    return { what: what.join(', '), times: what.length, faults };
  });
