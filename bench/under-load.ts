import { setTimeout as delay } from 'node:timers/promises';
import { startService } from '../test/support/service.ts';
import { quantile } from './figure.ts';
import type { Figure } from './figure.ts';
import { otlpBodies } from './load.ts';

/**
 * Latency of the model detail on storage that `large-tables-program.ts` has filled, while idle and while spans arrive.
 *
 * @param spansPerSecond rate of the arriving spans; half of the rate that the service can write to ClickHouse
 */
export async function benchUnderLoad(dataDirectory: string, spansPerSecond: number, repetitions: number): Promise<Figure> {
  const service = await startService({ dataDirectory });
  try {
    const { cookie, projectId } = await service.signIn();
    const ask = async () => {
      const started = performance.now();
      const answer = await fetch(`${service.url}/v1/projects/${projectId}/models/model-1?range=30d`, { headers: { cookie } });
      if (answer.status !== 200) throw new Error(`the model detail was answered with ${answer.status}`);
      await answer.arrayBuffer();
      return performance.now() - started;
    };
    await delay(3_000);
    await ask();
    const idle = await inTurn(repetitions, ask);
    const made = await fetch(`${service.url}/v1/projects/${projectId}/api-keys`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'load' }),
    });
    const load = keepSending(service.url, ((await made.json()) as { key: string }).key, spansPerSecond);
    await delay(2_000);
    const busy = await inTurn(repetitions, ask);
    const sent = await load.stop();
    const [atRest, underLoad] = [quantile(idle, 0.95), quantile(busy, 0.95)];
    return {
      title: 'model detail, p95 under half of full ingestion ÷ at rest',
      values: [underLoad / atRest],
      unit: '',
      wanted: { most: 2 },
      detail: `${underLoad.toFixed(0)} ÷ ${atRest.toFixed(0)} ms, ${Math.round(sent)} spans/s coming in`,
    };
  } finally {
    await service.stop('SIGKILL');
  }
}

async function inTurn(repetitions: number, work: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let repetition = 0; repetition < repetitions; repetition++) times.push(await work());
  return times;
}

/** Sends bodies of 512 new spans at a steady rate with one API key; stays below its burst. */
function keepSending(url: string, apiKey: string, spansPerSecond: number): { stop(): Promise<number> } {
  const everyMs = (512 * 1000) / spansPerSecond;
  const bodies = otlpBodies(Math.min(280, Math.ceil(60_000 / everyMs)));
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' };
  const started = performance.now();
  let stopped = false;
  let sent = 0;
  const done = (async () => {
    for (const body of bodies) {
      if (stopped) return;
      const answer = await fetch(`${url}/v1/traces`, { method: 'POST', headers, body });
      if (answer.status !== 200) throw new Error(`a body was answered with ${answer.status}: ${await answer.text()}`);
      sent += 512;
      await delay(Math.max(0, started + (sent / 512) * everyMs - performance.now()));
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      const seconds = (performance.now() - started) / 1000;
      await done;
      return sent / seconds;
    },
  };
}
