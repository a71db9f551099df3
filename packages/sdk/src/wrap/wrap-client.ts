import type { SpanKind } from '../events.ts';
import type { SpanFields, SpanParent } from '../tracing/span.ts';
import type { Tracer } from '../tracing/tracer.ts';
import type { Loose } from './read-fields.ts';
import { RecordedCall } from './recorded-call.ts';
import type { AnswerReader } from './recorded-call.ts';
import { safely } from './safely.ts';

export interface WrapOptions {
  /** Where the spans of the calls belong. Default: the active span; platforms without AsyncLocalStorage have none. */
  parent?: SpanParent | undefined;
  /** Provider of the models, such as `azure`, where it is not that of the library. */
  provider?: string | undefined;
  /**
   * Whether streamed chat completions of OpenAI ask for their token usage (`stream_options`), where the application does not say. The application does not see
   * the chunk that has it. Default: true; servers that refuse the option need false.
   */
  streamUsage?: boolean | undefined;
}

type Method = (...args: unknown[]) => unknown;

/** How the calls of one method become spans. What `begin` or `prepare` throws is ignored: the call goes on without it. */
export interface Recorder {
  kind: SpanKind;
  /** What the parameters say. */
  begin(params: Loose): SpanFields & { name: string };
  /** Parameters to be sent instead. */
  prepare?(params: Loose): Loose;
  /** Loads what reads the answers. */
  reader(): Promise<AnswerReader>;
}

/** What the spans of all calls of a client say. */
export interface WrapDefaults {
  provider: string;
  parent: SpanParent | undefined;
}

/** Methods of a client by their path, such as `chat.completions.create`. */
export type Recorders = Readonly<Record<string, Recorder>>;

/** What was wrapped, by the wrapped client. */
const wrappedClients = new WeakMap<object, { client: object; tracer: Tracer }>();

/**
 * A client whose methods of some paths are recorded. All else is that of the client. Helpers that call a recorded method through the client are recorded too.
 *
 * @param given a client, or one that was wrapped already: a call is recorded once, with the last options
 */
export function wrapClient<T extends object>(tracer: Tracer, given: T, recorders: Recorders, defaults: WrapDefaults): T {
  const before = wrappedClients.get(given);
  const client = before?.tracer === tracer ? before.client : given;
  const paths = Object.keys(recorders);

  function wrap(target: object, path: string): object {
    /** The same property is the same object each time, as long as it is not replaced. */
    const wrapped = new Map<string, { value: unknown; result: unknown }>();
    return new Proxy(target, {
      get(object, name) {
        // The client itself as receiver: its private fields are not those of a proxy.
        const value: unknown = Reflect.get(object, name);
        if (typeof name !== 'string') return value;
        const known = wrapped.get(name);
        if (known && known.value === value) return known.result;
        const result = replacement(object, path, name, value);
        if (result !== value) wrapped.set(name, { value, result });
        return result;
      },
    });
  }

  function replacement(object: object, path: string, name: string, value: unknown): unknown {
    const inner = path === '' ? name : `${path}.${name}`;
    const recorder = Object.hasOwn(recorders, inner) ? recorders[inner] : undefined;
    if (typeof value === 'function') {
      if (recorder) return record(tracer, recorder, defaults, value.bind(object) as Method);
      if (path !== '' || name === 'constructor') return value;
      // What it returns is another client.
      if (name === 'withOptions')
        return (...args: unknown[]) => wrapClient(tracer, value.call(object, ...args), recorders, defaults);
      return value.bind(object) as unknown;
    }
    // Resources have the client, through which helpers call other methods.
    if (value === client) return root;
    if (typeof value !== 'object' || value === null) return value;
    return paths.some((one) => one.startsWith(`${inner}.`)) ? wrap(value, inner) : value;
  }

  const root = wrap(client, '');
  wrappedClients.set(root, { client, tracer });
  return root as T;
}

/** What the libraries of OpenAI and Anthropic return: it parses the body of the answer when it is awaited. */
interface LazyAnswer {
  parseResponse: Method;
  responsePromise: Promise<unknown>;
  asResponse: () => Promise<unknown>;
  _thenUnwrap?: Method;
  _responseProps?: () => Promise<unknown>;
}

function record(tracer: Tracer, recorder: Recorder, defaults: WrapDefaults, call: Method): Method {
  return (...args) => {
    const params = args[0] as Loose;
    const span = safely(() => tracer.startSpan({ kind: recorder.kind, ...defaults, ...recorder.begin(params) }));
    if (!span) return call(...args);
    const sent = safely(() => recorder.prepare?.(params)) ?? params;
    const recorded = new RecordedCall(tracer, span, sent !== params, recorder.reader());
    try {
      return observed(call(sent, ...args.slice(1)), recorded);
    } catch (error) {
      span.fail(error);
      throw error;
    }
  };
}

function observed(answer: unknown, call: RecordedCall): unknown {
  if (isLazy(answer)) observeLazy(answer, call);
  else if (answer instanceof Promise) return read(answer, call);
  else void call.answered(answer);
  return answer;
}

async function read(answer: unknown, call: RecordedCall): Promise<unknown> {
  try {
    return await call.answered(await answer);
  } catch (error) {
    call.span.fail(error);
    throw error;
  }
}

/** Reads what the application reads: a body can be read once, and by `asResponse` the application may want it for itself. */
function observeLazy(answer: LazyAnswer, call: RecordedCall): void {
  const { parseResponse, asResponse } = answer;
  let isParsed = false;
  // `openai` 7 gives each answer one of its own, which bypasses `parseResponse`; helpers call it. That of the class, which remains, does not.
  delete answer._thenUnwrap;
  answer.parseResponse = (...args) => {
    isParsed = true;
    return read(parseResponse.call(answer, ...args), call);
  };
  answer.asResponse = async () => {
    const response = await asResponse.call(answer);
    if (!isParsed) call.end();
    return response;
  };
  // Helpers of Anthropic parse a stream by themselves: they get one that is read here.
  answer._responseProps = () => import('./anthropic-answers.ts').then((answers) => answers.asResponse(answer));
  answer.responsePromise.catch((error: unknown) => call.span.fail(error));
}

function isLazy(answer: unknown): answer is LazyAnswer {
  const { parseResponse, responsePromise } = (answer ?? {}) as Partial<LazyAnswer>;
  return parseResponse !== undefined && responsePromise instanceof Promise;
}
