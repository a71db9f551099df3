import type { Clock } from './clock.ts';
import { errorOf } from './message-of.ts';
import type { Answer, Service, ServiceRequest } from './service.ts';
import type { Settings } from './settings.ts';

/** What a client takes from the machine. */
export interface Machine {
  clock: Clock;
  /** Numbers from 0 to 1. */
  random(): number;
}

/** The service at the address of the settings. Redirects are not followed: the key stays with the address that it was given for. */
export function openService(settings: Settings, { clock, random }: Machine, report: (error: Error) => void): Service {
  return {
    clock,
    timeoutMs: settings.timeoutMs,
    random,
    report,
    request: (path, request = {}) => send(settings, clock, path, request),
  };
}

/** The answer is read whole, so that the time limit covers it. */
async function send(settings: Settings, clock: Clock, path: string, request: ServiceRequest): Promise<Answer> {
  const { method = 'GET', headers, body, timeoutMs = settings.timeoutMs } = request;
  if (settings.problem !== null) throw new Error(settings.problem);
  const controller = new AbortController();
  let cancel = () => {};
  // Not the signal alone: a `fetch` of the application may ignore it.
  const late = new Promise<never>((_resolve, reject) => {
    cancel = clock.after(timeoutMs, () => {
      const error = new Error(`${settings.baseUrl} did not answer ${method} ${path} within ${timeoutMs} ms.`);
      reject(error);
      controller.abort(error);
    });
  });
  const answer = async (): Promise<Answer> => {
    const response = await settings.fetch(`${settings.baseUrl}${path}`, {
      method,
      headers: { ...headers, 'x-api-key': settings.apiKey },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: controller.signal,
    });
    const text = await response.text();
    // Browsers hide a redirect that is not followed behind 0.
    return { status: response.status || 302, ok: response.ok, headers: response.headers, body: jsonOf(text) };
  };
  try {
    return await Promise.race([answer(), late]);
  } catch (error) {
    throw requestError(error, `${settings.baseUrl}${path}`);
  } finally {
    cancel();
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `fetch failed` alone says nothing; its cause does. */
function requestError(error: unknown, url: string): Error {
  if (!(error instanceof TypeError) || error.cause === undefined) return errorOf(error);
  const { message, code } = error.cause as { message?: string; code?: string };
  return new Error(`${url} cannot be reached: ${message || code || error.message}.`, { cause: error });
}
