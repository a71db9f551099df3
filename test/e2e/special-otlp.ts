import { createHash } from 'node:crypto';

type Attributes = Record<string, unknown>;

const id = (name: string, length: number) => createHash('sha256').update(name).digest('hex').slice(0, length);

/** A trace sent over OTLP with the attributes of several conventions. */
export const tripTraceId = id('trip', 32);
/** Its span IDs. */
export const tripSpans = {
  agent: id('agent', 16),
  plan: id('plan', 16),
  weather: id('weather', 16),
  trains: id('trains', 16),
  answer: id('answer', 16),
};

const question = { role: 'user', parts: [{ type: 'text', content: 'A dry weekend by train from Utrecht?' }] };
const asked = {
  role: 'assistant',
  parts: [
    { type: 'tool_call', id: 'call_w', name: 'weather', arguments: { city: 'Ghent' } },
    { type: 'tool_call', id: 'call_t', name: 'trains', arguments: { from: 'Utrecht', to: 'Ghent' } },
  ],
};
const told = {
  role: 'tool',
  parts: [
    { type: 'tool_call_response', id: 'call_w', response: { rain_mm: 0.4 } },
    { type: 'tool_call_response', id: 'call_t', response: { error: 'timetable is closed' } },
  ],
};

const toolDefinitions = ['weather', 'trains'].map((name) => ({
  name,
  description: `Looks up the ${name} of a city. `.repeat(90),
}));

/** The OTLP request. Its spans are in the ten minutes before `endMs`. */
export function tripRequest(endMs: number): object {
  const model = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.response.model': 'gpt-4o-2024-08-06',
    'gen_ai.response.id': 'chatcmpl-1',
    'gen_ai.request.temperature': 0.2,
    'session.id': 'trip-chat',
    'ai.telemetry.metadata.userId': 'ada',
    'ai.telemetry.metadata.plan': 'pro',
    'tag.tags': ['travel', 'weekend'],
  };
  const spans = [
    span(endMs, 'agent', [0, 5200], 'invoke_agent trip planner', {
      'openinference.span.kind': 'AGENT',
      'agent.name': 'trip planner',
      'input.value': 'A dry weekend by train from Utrecht?',
      'output.value': 'Ghent stays dry; look up the train on the day.',
    }),
    span(endMs, 'plan', [40, 1500], 'chat gpt-4o', {
      // Long enough to scroll the following attributes out of view.
      'gen_ai.tool.definitions': JSON.stringify(toolDefinitions),
      ...model,
      'gen_ai.system_instructions': 'You plan short trips.',
      'gen_ai.input.messages': JSON.stringify([question]),
      'gen_ai.output.messages': JSON.stringify([asked]),
      'gen_ai.usage.input_tokens': 220,
      'gen_ai.usage.output_tokens': 48,
      'gen_ai.response.time_to_first_chunk': 0.41,
      'llm.token_count.prompt_details.cache_read': 128,
    }),
    span(endMs, 'weather', [1510, 1990], 'execute_tool weather', {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'weather',
      'gen_ai.tool.call.id': 'call_w',
      'gen_ai.tool.call.arguments': '{"city":"Ghent"}',
      'gen_ai.tool.call.result': '{"rain_mm":0.4}',
    }),
    {
      ...span(endMs, 'trains', [1512, 3900], 'trains.tool', {
        'traceloop.span.kind': 'tool',
        'traceloop.entity.name': 'trains',
        'traceloop.entity.input': '{"from":"Utrecht","to":"Ghent"}',
      }),
      status: { code: 2 },
      events: [
        {
          name: 'exception',
          timeUnixNano: nanoseconds(endMs, 3899),
          attributes: attributesOf({
            'exception.type': 'TimetableClosed',
            'exception.message': 'The timetable is closed at night.',
          }),
        },
      ],
    },
    span(endMs, 'answer', [3920, 5150], 'chat gpt-4o', {
      ...model,
      'gen_ai.input.messages': JSON.stringify([question, asked, told]),
      'gen_ai.output.messages': JSON.stringify([
        { role: 'assistant', parts: [{ type: 'text', content: 'Ghent stays dry; look up the train on the day.' }] },
      ]),
      'gen_ai.usage.input_tokens': 310,
      'gen_ai.usage.output_tokens': 30,
    }),
  ];
  const resource = { 'service.name': 'trips', 'service.version': '2.4.0', 'deployment.environment.name': 'production' };
  return {
    resourceSpans: [{ resource: { attributes: attributesOf(resource) }, scopeSpans: [{ scope: { name: 'trips' }, spans }] }],
  };
}

const nanoseconds = (endMs: number, offsetMs: number) => `${endMs - 600_000 + offsetMs}000000`;

function span(
  endMs: number,
  which: keyof typeof tripSpans,
  [startMs, stopMs]: readonly [number, number],
  name: string,
  attributes: Attributes,
) {
  return {
    traceId: tripTraceId,
    spanId: tripSpans[which],
    ...(which === 'agent' ? {} : { parentSpanId: tripSpans.agent }),
    name,
    kind: 1,
    startTimeUnixNano: nanoseconds(endMs, startMs),
    endTimeUnixNano: nanoseconds(endMs, stopMs),
    attributes: attributesOf(attributes),
  };
}

function attributesOf(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }));
}

function valueOf(value: unknown): object {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(valueOf) } };
  if (typeof value !== 'number') return { stringValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
