import { parsed } from '../../content/message-list.ts';
import { isFields } from '../../content/message-shapes.ts';
import type { TraceSpan } from '../../api/service.ts';

/** What a model was asked to do, besides the messages. */
export interface CallParameters {
  /** Names in snake_case, sorted as `known`, the others after them by name. */
  values: Array<[name: string, value: unknown]>;
  tools: CallTool[];
}

export interface CallTool {
  name: string;
  description: string | null;
  /** The schema of its arguments; null if it was not sent. */
  parameters: unknown;
}

/** Parameters that clients send, in the order shown. */
const known = [
  'temperature',
  'top_p',
  'top_k',
  'max_tokens',
  'stop',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'n',
  'reasoning_effort',
  'reasoning',
  'thinking',
  'verbosity',
  'response_format',
  'tool_choice',
  'parallel_tool_calls',
  'stream',
  'logprobs',
  'dimensions',
  'encoding_format',
  'service_tier',
  'user',
];
const order = new Map(known.map((name, index) => [name, index]));

const aliases: Readonly<Record<string, string>> = {
  max_completion_tokens: 'max_tokens',
  max_output_tokens: 'max_tokens',
  max_new_tokens: 'max_tokens',
  stop_sequences: 'stop',
  choice_count: 'n',
  encoding_formats: 'encoding_format',
  output_type: 'response_format',
  format: 'response_format',
  text_format: 'response_format',
};

/** Prefixes of attributes that hold one parameter each; the longer first. */
const prefixes = ['gen_ai.request.', 'gen_ai.openai.request.', 'ai.settings.', 'llm.request.', 'gen_ai.'];
/** Attributes and members that hold an object of parameters. */
const objects = [
  'llm.invocation_parameters',
  'model_parameters',
  'modelParameters',
  'langfuse.observation.model.parameters',
  'gen_ai.request.parameters',
  'invocation_params',
  'ls_invocation_params',
  'config',
  'generationConfig',
  'inferenceConfig',
];
const toolLists = [
  'gen_ai.tool.definitions',
  'ai.prompt.tools',
  'llm.request.functions',
  'tools',
  'functions',
  'gen_ai.request.tools',
];

const snake = (name: string): string =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('.', '_')
    .toLowerCase();

/** The parameters and tools of a model call, from its attributes, its metadata and a request in its input. Pure function. */
export function callParameters({
  attributes,
  metadata,
  input,
}: Pick<TraceSpan, 'attributes' | 'metadata' | 'input'>): CallParameters {
  const request = parsed(input);
  const sources = [attributes, metadata, Array.isArray(request) ? null : request].filter(isFields);
  const values = new Map<string, unknown>();
  const tools: CallTool[] = [];
  const add = (name: string, value: unknown) => {
    const key = aliases[snake(name)] ?? snake(name);
    if (order.has(key) && value !== null && value !== undefined && !values.has(key)) values.set(key, parsed(value));
  };
  const addTools = (value: unknown) => {
    for (const tool of toolsOf(parsed(value))) if (!tools.some(({ name }) => name === tool.name)) tools.push(tool);
  };
  for (const source of sources) {
    for (const [name, value] of Object.entries(source)) {
      const prefix = prefixes.find((one) => name.startsWith(one));
      if (prefix !== undefined) add(name.slice(prefix.length), value);
      if (toolLists.includes(name)) addTools(value);
      if (/^llm\.tools\.\d+\.tool\.json_schema$/.test(name)) addTools([parsed(value)]);
    }
  }
  for (const source of sources) {
    const within = objects.map((name) => parsed(source[name])).filter(isFields);
    const isRequest = source === request && ['messages', 'model', 'contents', 'prompt', 'input'].some((name) => name in source);
    for (const fields of isRequest ? [source, ...within] : within) {
      for (const [name, value] of Object.entries(fields)) add(name, value);
      for (const name of toolLists) addTools(fields[name]);
    }
  }
  const place = (name: string) => order.get(name) ?? order.size;
  return { values: [...values].toSorted(([left], [right]) => place(left) - place(right)), tools };
}

/** The tools in a list of OpenAI, Anthropic, Gemini or OpenTelemetry. */
function toolsOf(list: unknown): CallTool[] {
  if (!Array.isArray(list)) return [];
  return (list as unknown[]).flatMap((one) => {
    const tool = parsed(one);
    if (!isFields(tool)) return [];
    const declarations = tool['functionDeclarations'] ?? tool['function_declarations'];
    if (Array.isArray(declarations)) return toolsOf(declarations);
    const inner = isFields(tool['function']) ? tool['function'] : tool;
    const { name, description } = inner;
    const shown = typeof name === 'string' ? name : tool['type'];
    if (typeof shown !== 'string' || shown === '') return [];
    const parameters = inner['parameters'] ?? inner['input_schema'] ?? inner['inputSchema'] ?? null;
    return [{ name: shown, description: typeof description === 'string' ? description : null, parameters: parsed(parameters) }];
  });
}
