// A route handler as Next.js has them in `app/api/chat/route.ts`: checks the question, streams the guarded answer, and flushes behind it.
import { GuardrailBlocked, Spanwise } from '@spanwise/sdk';
import OpenAI from 'openai';

// One client for all requests.
const spanwise = new Spanwise({ service: 'chat', environment: 'production' });
const openai = spanwise.wrapOpenAI(new OpenAI());

export async function POST(request: Request): Promise<Response> {
  const { question, sessionId } = (await request.json()) as { question: string; sessionId: string };
  const trace = spanwise.trace({ name: 'chat', sessionId, input: question });
  const checked = await spanwise.guard.check(question, { traceId: trace.traceId });
  if (checked.action === 'block') {
    trace.end();
    return Response.json({ error: 'This question cannot be answered.' }, { status: 422 });
  }
  const answer = await spanwise.within(trace, () =>
    openai.chat.completions.create({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: checked.text }] }),
  );
  const texts = (async function* () {
    for await (const { choices } of answer) yield choices[0]?.delta.content ?? '';
  })();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const encoder = new TextEncoder();
      let output = '';
      try {
        for await (const piece of spanwise.guard.stream(texts, { traceId: trace.traceId })) {
          output += piece;
          controller.enqueue(encoder.encode(piece));
        }
      } catch (error) {
        if (!(error instanceof GuardrailBlocked)) throw error;
        controller.enqueue(encoder.encode('\n[The answer was stopped.]'));
      } finally {
        trace.update({ output });
        trace.end();
        controller.close();
        // On a platform that stops behind the response, give this to its waitUntil() or after().
        void spanwise.flush();
      }
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
}
