/** What somebody who uses the service knows: where it is, and who they are. */
export interface Caller {
  url: string;
  apiKey: string;
  cookie: string;
  projectId: string;
}

export interface Answer {
  status: number;
  // The bodies of many routes: each reader says what it looks for.
  body: ReturnType<typeof JSON.parse>;
}

const patienceMs = 60_000;

/** Sends a request; null when the connection broke, so that nobody knows what became of it. */
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

/** What a read answers with. Throws when it does not answer with 200. */
export async function read(url: string, headers: Record<string, string>): Promise<Answer['body']> {
  const answer = await sendJson('GET', url, headers);
  if (answer?.status !== 200) throw new Error(`GET ${url} answered ${answer?.status}: ${JSON.stringify(answer?.body)}`);
  return answer.body;
}
