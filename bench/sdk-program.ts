import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { context, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { Spanwise } from '../packages/sdk/src/index.ts';

// An application that makes calls of a model, with or without tracing. It runs in a process of its own: the CPU of its only thread is measured, without
// the threads of the platform that compress and send.

/** The measurements that are sent to the parent. */
export interface SdkMeasurement {
  /** CPU of the thread for a call, microseconds, by window. */
  cpuUs: number[];
  /** Delay of the event loop at 10,000 events a second, 99th percentile, milliseconds. */
  loopP99Ms: number;
  /** Calls a second that were made while the delay was measured. */
  perSecond: number;
  /** Events that were not delivered. */
  lost: number;
}

interface Application {
  /** Calls in one trace, one after the other. */
  calls(count: number): Promise<void>;
  /** Resolves when everything is sent. */
  flush(): Promise<void>;
  lost(): number;
}

const messages = [
  {
    role: 'system',
    content: `You answer questions about plans. ${'Say what you know, and where you know it from. '.repeat(10)}`,
  },
  { role: 'user', content: 'What does the plan include, and how do I change it? I have been a customer since 2019.' },
];
const answer = { role: 'assistant', content: 'The plan includes three seats and unlimited projects. '.repeat(8) };
/** The model: the application goes on in a later turn. */
const model = () => Promise.resolve();
/** Beyond it spans would be dropped. */
const maxQueue = 100_000;
const warmUpWindows = 150;

const applications: Record<string, (url: string) => Application> = {
  none: () => ({
    async calls(count) {
      for (let made = 0; made < count; made += 1) await model();
    },
    flush: () => Promise.resolve(),
    lost: () => 0,
  }),
  spanwise(url) {
    const spanwise = new Spanwise({ apiKey: 'spw_bench', baseUrl: url, maxQueue });
    const fields = { name: 'chat gpt-4o', kind: 'llm' as const, operation: 'chat', model: 'gpt-4o', provider: 'openai' };
    return {
      calls: (count) =>
        spanwise.trace({ name: 'turn' }, async () => {
          for (let made = 0; made < count; made += 1) {
            await spanwise.span({ ...fields, input: messages }, async (span) => {
              await model();
              span.update({ output: answer, usage: { inputTokens: 1_200, outputTokens: 85, cachedTokens: 1_024 } });
            });
          }
        }),
      flush: () => spanwise.flush(),
      lost: () => spanwise.delivery().dropped.queue_full,
    };
  },
  otel(url) {
    const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces`, headers: { 'x-api-key': 'spw_bench' } });
    const processor = new BatchSpanProcessor(exporter, { maxQueueSize: maxQueue, scheduledDelayMillis: 1_000 });
    const provider = new NodeTracerProvider({ spanProcessors: [processor] });
    provider.register();
    const tracer = trace.getTracer('bench');
    const fields = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.provider.name': 'openai',
    };
    return {
      calls: (count) =>
        tracer.startActiveSpan('turn', async (turn) => {
          for (let made = 0; made < count; made += 1) {
            const attributes = { ...fields, 'gen_ai.input.messages': JSON.stringify(messages) };
            await tracer.startActiveSpan('chat gpt-4o', { attributes }, async (span) => {
              await model();
              span.setAttributes({
                'gen_ai.output.messages': JSON.stringify(answer),
                'gen_ai.usage.input_tokens': 1_200,
                'gen_ai.usage.output_tokens': 85,
                'gen_ai.usage.cache_read.input_tokens': 1_024,
              });
              span.end();
            });
          }
          turn.end();
        }),
      // At 10,000 spans a second its exporter refuses some: more than 30 requests wait.
      flush: () => provider.forceFlush().catch(() => {}),
      lost: () => 0,
    };
  },
};

const [name = '', url = '', windows = '40', seconds = '5'] = process.argv.slice(2);
const application = applications[name]?.(url);
if (!application) throw new Error(`There is no application ${name}`);
const measurement = { ...(await cpu(application, Number(windows))), ...(await loopDelay(application, Number(seconds))) };
process.send?.({ ...measurement, lost: application.lost() } satisfies SdkMeasurement);
context.disable();
process.disconnect?.();

async function cpu({ calls, flush }: Application, count: number): Promise<Pick<SdkMeasurement, 'cpuUs'>> {
  const callsOfWindow = 1_000;
  const cpuUs: number[] = [];
  // The first windows run before the code is compiled for good: both SDKs get faster for some 100 windows.
  for (let window = -warmUpWindows; window < count; window += 1) {
    const before = process.threadCpuUsage();
    await calls(callsOfWindow);
    await flush();
    const { user, system } = process.threadCpuUsage(before);
    if (window >= 0) cpuUs.push((user + system) / callsOfWindow);
  }
  return { cpuUs };
}

async function loopDelay(
  { calls, flush }: Application,
  duration: number,
): Promise<Pick<SdkMeasurement, 'loopP99Ms' | 'perSecond'>> {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  const perSecond = 10_000;
  histogram.enable();
  const started = performance.now();
  let made = 0;
  for (let at = started; at < started + duration * 1_000; at = performance.now()) {
    const due = Math.floor(((at - started) / 1_000) * perSecond) - made;
    if (due >= 10) {
      await calls(due);
      made += due;
    } else await delay(1);
    await setImmediate();
  }
  const elapsed = (performance.now() - started) / 1_000;
  histogram.disable();
  await flush();
  return { loopP99Ms: histogram.percentile(99) / 1e6, perSecond: made / elapsed };
}
