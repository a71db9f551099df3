import type { Clock } from './clock.ts';
import type { Service, ServiceRequest } from './service.ts';
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
async function send(settings: Settings, clock: Clock, path: string, request: ServiceRequest): Promise<Response> {
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
  const answer = async () => {
    const response = await settings.fetch(`${settings.baseUrl}${path}`, {
      method,
      headers: { ...headers, 'x-api-key': settings.apiKey },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: controller.signal,
    });
    const bytes = await response.arrayBuffer();
    return copyOf(response, bytes);
  };
  try {
    return await Promise.race([answer(), late]);
  } catch (error) {
    throw requestError(error, `${settings.baseUrl}${path}`);
  } finally {
    cancel();
  }
}

/** Statuses outside 200 to 599 have no response of their own: browsers hide redirects behind 0. */
function copyOf({ status, statusText, headers }: Response, bytes: ArrayBuffer): Response {
  const shown = status >= 200 && status <= 599 ? status : 502;
  return new Response(bytes.byteLength === 0 ? null : bytes, { status: shown, statusText, headers });
}

/** `fetch failed` alone says nothing; its cause does. */
function requestError(error: unknown, url: string): Error {
  if (!(error instanceof TypeError) || error.cause === undefined)
    return error instanceof Error ? error : new Error(String(error));
  const { message, code } = error.cause as { message?: string; code?: string };
  return new Error(`${url} cannot be reached: ${message || code || error.message}.`, { cause: error });
}
