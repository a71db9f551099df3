import type { Service } from '../support/service.ts';
import { hostileName, hostileTraceId, toolTraceId } from './special-traces.ts';

/** The id of a comment that mentions the viewer. */
export interface CommentPlaces {
  comment: string;
}

/** The Markdown of a comment that mentions somebody. */
const review = (email: string) => `The forecast is from **two days ago**. @${email}, can you check the cache?

> It is 18 °C in Amsterdam

- the tool answers in 20 ms, so it is a hit
- \`max-age\` is missing:

\`\`\`json
{"ttl": 172800}
\`\`\``;

/** Comments of traces that tests open: on a trace and its spans, resolved, with Markdown, and with text that tries to leave its place. */
export async function specialComments(
  service: Service,
  { cookie, projectId, mentioned }: { cookie: string; projectId: string; mentioned: string },
): Promise<CommentPlaces> {
  const path = `/v1/projects/${projectId}/comments`;
  const write = async (body: object): Promise<string> => {
    const { comment } = await send<{ comment: { id: string } }>(service, 'POST', path, cookie, body);
    return comment.id;
  };
  await write({ traceId: toolTraceId, body: 'Slow since the release of Tuesday.' });
  const comment = await write({ traceId: toolTraceId, spanId: 'answer', body: review(mentioned), anchor: { field: 'output' } });
  const resolved = await write({ traceId: toolTraceId, spanId: 'answer', body: 'Is the temperature right?' });
  await send(service, 'PATCH', `${path}/${resolved}`, cookie, { resolved: true });
  const hostile = `${hostileName}\n[link](javascript:alert(1)) ![image](https://example.com/x.png) <b>bold</b> ${'x'.repeat(3_000)}`;
  await write({ traceId: hostileTraceId, spanId: 'call', body: hostile });
  return { comment };
}

async function send<T>(service: Service, method: string, path: string, cookie: string, body: object): Promise<T> {
  const answer = await fetch(`${service.url}${path}`, {
    method,
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}
