/** URL and credentials of a client. */
export interface Caller {
  url: string;
  apiKey: string;
  cookie: string;
  projectId: string;
}

export interface Answer {
  status: number;
  // Untyped: bodies of many routes; the callers check them.
  body: ReturnType<typeof JSON.parse>;
}

const patienceMs = 60_000;

/** Sends a request; null when the connection broke and the outcome is unknown. */
export async function send(url: string, init: RequestInit): Promise<Answer | null> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(patienceMs) });
    const text = await response.text();
    const json = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, body: json && text !== '' ? JSON.parse(text) : text };
  } catch {
    return null;
  }
}

export function sendJson(method: string, url: string, headers: Record<string, string>, body?: unknown): Promise<Answer | null> {
  const given = body === undefined ? {} : { body: JSON.stringify(body) };
  return send(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...given,
  });
}

/** Sends a GET and returns the body. Throws unless the status is 200. */
export async function read(url: string, headers: Record<string, string>): Promise<Answer['body']> {
  const answer = await sendJson('GET', url, headers);
  if (answer?.status !== 200) throw new Error(`GET ${url} answered ${answer?.status}: ${JSON.stringify(answer?.body)}`);
  return answer.body;
}
