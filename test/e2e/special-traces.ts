/** Markup, scripts, terminal codes and bidirectional controls, which pages must show as text. */
export const hostileName =
  '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=2</script>\u202Egnirts\u202C \u001B[31mred';
export const hostileTraceId = 'hostile-trace';
export const largeTraceId = 'large-trace';
export const toolTraceId = 'tool-trace';
/** Occurs in one error message only. */
export const failureText = 'the quokka service refused the request';
export const failingTraceId = 'failing-trace';

type Event = Record<string, unknown>;

const at = (endMs: number, offsetMs: number) => new Date(endMs - 600_000 + offsetMs).toISOString();

function span(
  endMs: number,
  traceId: string,
  spanId: string,
  [startMs, stopMs]: readonly [number, number],
  fields: Event,
): Event {
  return {
    type: 'span',
    traceId,
    spanId,
    startTime: at(endMs, startMs),
    endTime: at(endMs, stopMs),
    status: 'ok',
    environment: 'production',
    ...fields,
  };
}

/** Traces for the tests, in the last ten minutes. */
export function specialTraces(endMs: number): Event[] {
  return [...hostileTrace(endMs), ...failingTrace(endMs), ...toolTrace(endMs)];
}

function hostileTrace(endMs: number): Event[] {
  const payload = { [hostileName]: hostileName, html: '<b>bold</b>', long: 'x'.repeat(600_000), deep: '['.repeat(200) };
  return [
    span(endMs, hostileTraceId, 'root', [0, 900], {
      name: hostileName,
      kind: 'agent',
      agentName: hostileName,
      sessionId: hostileName,
      userId: hostileName,
      tags: [hostileName],
      input: hostileName,
      output: { role: 'assistant', content: `${hostileName}\njavascript:alert(1)` },
    }),
    span(endMs, hostileTraceId, 'call', [10, 700], {
      parentSpanId: 'root',
      name: hostileName,
      kind: 'llm',
      model: hostileName,
      provider: hostileName,
      agentName: hostileName,
      operation: hostileName,
      usage: { inputTokens: 10, outputTokens: 5 },
      status: 'error',
      errorCode: hostileName,
      errorMessage: hostileName,
      input: [{ role: hostileName, content: hostileName }],
      output: payload,
      attributes: { [hostileName]: hostileName },
      metadata: { [hostileName]: [hostileName] },
    }),
    {
      type: 'trace',
      traceId: hostileTraceId,
      name: hostileName,
      sessionId: hostileName,
      tags: [hostileName],
      timestamp: at(endMs, 0),
    },
    {
      type: 'score',
      scoreId: 'hostile-score',
      traceId: hostileTraceId,
      evaluator: 'tone',
      score: 0.1,
      passed: false,
      comment: hostileName,
      label: hostileName,
    },
  ];
}

function failingTrace(endMs: number): Event[] {
  return [
    span(endMs, failingTraceId, 'root', [0, 2400], {
      name: 'checkout',
      kind: 'agent',
      agentName: 'checkout-assistant',
      status: 'error',
      errorCode: 'agent_failed',
    }),
    span(endMs, failingTraceId, 'lookup', [20, 400], {
      parentSpanId: 'root',
      name: 'execute_tool quokka',
      kind: 'tool',
      status: 'error',
      errorCode: '502',
      errorMessage: `Bad gateway: ${failureText}`,
      input: { sku: 'A-17' },
    }),
    span(endMs, failingTraceId, 'chat', [420, 2300], {
      parentSpanId: 'root',
      name: 'chat gpt-4o',
      kind: 'llm',
      model: 'gpt-4o-2024-08-06',
      provider: 'openai',
      timeToFirstTokenMs: 380,
      usage: { inputTokens: 900, outputTokens: 60 },
      input: 'What does A-17 cost?',
      output: 'I cannot look that up now.',
    }),
  ];
}

function toolTrace(endMs: number): Event[] {
  const messages = [
    { role: 'system', content: 'You are a weather assistant. Use the tool.' },
    { role: 'user', content: 'Do I need an umbrella in Utrecht tomorrow?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'forecast', arguments: '{"city":"Utrecht","day":"tomorrow"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '{"rain_mm":7.2,"wind_kmh":31}' },
  ];
  const shared = { sessionId: 'weather-chat', userId: 'ada', agentName: 'weather' };
  return [
    span(endMs, toolTraceId, 'root', [0, 3900], {
      ...shared,
      name: 'invoke_agent weather',
      kind: 'agent',
      input: messages[1]?.content,
      output: 'Yes: 7 mm of rain and a strong wind.',
    }),
    span(endMs, toolTraceId, 'plan', [40, 1500], {
      ...shared,
      parentSpanId: 'root',
      name: 'chat',
      kind: 'llm',
      model: 'gpt-4o-2024-08-06',
      provider: 'openai',
      timeToFirstTokenMs: 420,
      usage: { inputTokens: 310, outputTokens: 28, cachedTokens: 128 },
      input: messages.slice(0, 2),
      output: messages[2],
    }),
    span(endMs, toolTraceId, 'tool', [1510, 1990], {
      ...shared,
      parentSpanId: 'root',
      name: 'execute_tool forecast',
      kind: 'tool',
      input: { city: 'Utrecht', day: 'tomorrow' },
      output: { rain_mm: 7.2, wind_kmh: 31 },
    }),
    span(endMs, toolTraceId, 'guard', [1995, 2100], {
      ...shared,
      parentSpanId: 'root',
      name: 'check output policy',
      kind: 'guardrail',
      input: 'rain',
      output: { allowed: true },
    }),
    span(endMs, toolTraceId, 'answer', [2110, 3880], {
      ...shared,
      parentSpanId: 'root',
      name: 'chat',
      kind: 'llm',
      model: 'gpt-4o-2024-08-06',
      provider: 'openai',
      timeToFirstTokenMs: 510,
      usage: { inputTokens: 380, outputTokens: 41, cachedTokens: 256 },
      input: messages,
      output: { role: 'assistant', content: 'Yes: 7 mm of rain and a strong wind. Take the umbrella, or better a coat.' },
      promptName: 'weather/answer',
      promptVersion: 4,
    }),
    {
      type: 'score',
      scoreId: 'tool-score',
      traceId: toolTraceId,
      spanId: 'answer',
      evaluator: 'helpfulness',
      score: 0.92,
      passed: true,
      comment: 'Answers and says why.',
    },
  ];
}

/** A large trace: agents with tools and calls, up to ten levels deep. @param spans number of spans */
export function* largeTrace(endMs: number, spans: number): Generator<Event> {
  const stopMs = 500_000;
  yield span(endMs, largeTraceId, 'n0', [0, stopMs], {
    name: 'run nightly batch',
    kind: 'agent',
    agentName: 'batch',
    input: 'all of it',
  });
  for (let index = 1; index < spans; index++) {
    const parent = index % 10 === 1 ? 0 : index - 1;
    const startMs = Math.floor((index / spans) * (stopMs - 1000));
    const kind = (['agent', 'chain', 'tool', 'llm', 'retriever'] as const)[index % 5] ?? 'span';
    yield span(endMs, largeTraceId, `n${index}`, [startMs, startMs + 40 + ((index * 37) % 900)], {
      parentSpanId: `n${parent}`,
      name: `${kind} step ${index}`,
      kind,
      ...(kind === 'llm'
        ? {
            model: 'gpt-4o-mini-2024-07-18',
            provider: 'openai',
            usage: { inputTokens: 200 + index, outputTokens: 20 },
            timeToFirstTokenMs: 30,
          }
        : {}),
      ...(index % 371 === 0 ? { status: 'error', errorCode: 'timeout' } : {}),
      input: `Item ${index}`,
      output: { done: true, index },
    });
  }
}
