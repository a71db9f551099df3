import { fork } from 'node:child_process';
import { join } from 'node:path';
import { median } from './figure.ts';
import type { Figure } from './figure.ts';
import { startProgram } from './processes.ts';
import type { SdkMeasurement } from './sdk-program.ts';

/**
 * What tracing costs an application: calls of a model with 800 bytes of messages and an answer of 450 bytes, each a span, sent to a server that takes them. Beside
 * it the same spans with OpenTelemetry's SDK, its batch processor and its OTLP exporter, and the application without tracing, whose CPU is subtracted.
 */
export async function benchSdk(options: { rounds: number; windows: number; seconds: number }): Promise<Figure[]> {
  const receiver = await startProgram(join(import.meta.dirname, 'sdk-receiver.mjs'));
  const url = `http://127.0.0.1:${receiver.port}`;
  const rounds: Array<Record<'none' | 'spanwise' | 'otel', SdkMeasurement>> = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const none = await measure('none', url, options);
    const otel = await measure('otel', url, options);
    rounds.push({ none, otel, spanwise: await measure('spanwise', url, options) });
  }
  receiver.child.disconnect();
  const cost = (name: 'spanwise' | 'otel') => rounds.map((round) => median(round[name].cpuUs) - median(round.none.cpuUs));
  const delays = (name: 'none' | 'spanwise' | 'otel') => rounds.map((round) => round[name].loopP99Ms);
  const [own, otel] = [cost('spanwise'), cost('otel')];
  const text = (values: readonly number[], unit: string) => `${median(values).toFixed(1)} ${unit}`;
  const perSecond = median(rounds.map(({ spanwise }) => spanwise.perSecond));
  const lost = rounds.reduce((sum, { spanwise }) => sum + spanwise.lost, 0);
  return [
    {
      title: "CPU of a traced call in the application's thread ÷ OpenTelemetry's SDK",
      values: own.map((value, round) => value / (otel[round] ?? NaN)),
      unit: '',
      wanted: { most: 1 },
      detail: `${text(own, 'µs')} ÷ ${text(otel, 'µs')} a span`,
    },
    { title: '– CPU of a traced call, p50', values: own, unit: 'µs', wanted: { most: 20 } },
    {
      title: '– event loop, p99, at 10,000 traced calls a second',
      values: delays('spanwise'),
      unit: 'ms',
      wanted: { most: 5 },
      detail: `without tracing ${text(delays('none'), 'ms')}, OpenTelemetry ${text(delays('otel'), 'ms')}; ${Math.round(perSecond)} a second, ${lost} lost`,
    },
  ];
}

function measure(name: string, url: string, { windows, seconds }: { windows: number; seconds: number }): Promise<SdkMeasurement> {
  const parameters = [name, url, String(windows), String(seconds)];
  const child = fork(join(import.meta.dirname, 'sdk-program.ts'), parameters, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as SdkMeasurement));
    child.once('exit', (code) => reject(new Error(`sdk-program.ts ${name} ended with ${code}`)));
  });
}
