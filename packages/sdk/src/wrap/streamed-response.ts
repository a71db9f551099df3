import { recordOf, textOf } from './read-fields.ts';

/** What a library knows of a request before its answer is parsed. */
interface ResponseProps {
  options?: { stream?: unknown };
  response: Response;
}

/**
 * What a helper that parses a streamed answer by itself gets, as the threads and the streamed tool runner of `@anthropic-ai/sdk` do: a
 * response whose body is what was read of the answer. The answer is read as the helper reads the body.
 */
export async function asResponse(answer: { responsePromise: Promise<unknown> }): Promise<ResponseProps> {
  const props = (await answer.responsePromise) as ResponseProps;
  if (props.options?.stream !== true) return props;
  const { headers, status, statusText } = props.response;
  const stream = (await (answer as unknown)) as AsyncIterable<unknown>;
  const encoder = new TextEncoder();
  const events = stream[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await events.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(lineOf(value)));
    },
    async cancel() {
      await events.return?.();
    },
  });
  return { ...props, response: new Response(body, { headers, status, statusText }) };
}

function lineOf(event: unknown): string {
  return `event: ${textOf(recordOf(event)?.['type']) ?? 'message'}\ndata: ${JSON.stringify(event)}\n\n`;
}
