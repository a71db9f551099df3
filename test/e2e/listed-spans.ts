/** One span as the list of calls answers it, made up: for lists of thousands of rows. */
function listedSpan(index: number): object {
  return {
    traceId: `many-${index}`,
    spanId: 's',
    parentSpanId: null,
    name: `row ${index}`,
    kind: 'llm',
    startTime: new Date(Date.now() - index * 1000).toISOString(),
    endTime: null,
    durationMs: index,
    timeToFirstTokenMs: null,
    status: null,
    errorCode: null,
    errorMessage: null,
    model: 'gpt-4o-2024-08-06',
    provider: 'openai',
    agentName: null,
    operation: null,
    service: null,
    environment: 'production',
    release: null,
    sessionId: null,
    userId: 'ada',
    tags: [],
    promptName: null,
    promptVersion: null,
    usage: { inputTokens: 1000 + index, outputTokens: 100 },
    costUsd: 0.001 * index,
    costStatus: 'priced',
    isCall: true,
    inputPreview: JSON.stringify(`What is the state of order ${index}? `.repeat(4)),
    outputPreview: JSON.stringify('It was sent.'),
    scores: [],
    trace: { name: 't', status: 'ok', sessionId: null, userId: 'ada' },
  };
}

/** A page of the stubbed list: as many rows as there are, from the cursor on. @param url of the request */
export function listedSpans(url: string, rows: number, pageSize = 100): object {
  const from = Number(new URL(url).searchParams.get('cursor') ?? 0);
  const end = Math.min(rows, from + pageSize);
  const spans = Array.from({ length: end - from }, (_, index) => listedSpan(from + index));
  return { spans, nextCursor: end < rows ? String(end) : null };
}

/** The requests of the list of calls. */
export const listOfSpans = /\/v1\/projects\/[^/]+\/spans\?/;
