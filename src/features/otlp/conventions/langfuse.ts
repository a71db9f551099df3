import type { SpanKind } from '../../../contract/kinds.ts';
import { jsonLabel, label, numberOf, record, tagList, timeSinceStart, tokensOf, version } from '../readers/attribute-readers.ts';
import type { Convention, Reader, TokenClasses } from '../readers/convention.ts';
import { kindByName } from '../readers/kind-by-name.ts';
import { statusIn } from '../readers/status-in-text.ts';
import { payload } from '../readers/payload-json.ts';
import type { SpanView } from '../readers/span-view.ts';
import { classNamed, nestedClasses, someOf } from '../readers/token-classes.ts';
import { first, usageOf, type Usage } from '../readers/usage-object.ts';
import type { PresentValue } from '../wire/attribute.ts';

const cachedNames = ['input_cached_tokens', 'cache_read_input_tokens', 'input_cache_read', 'cached_tokens'];
const cacheWriteNames = ['cache_creation_input_tokens', 'input_cache_creation', 'cache_write_input_tokens', 'input_cache_write'];
const reasoningNames = ['output_reasoning_tokens', 'reasoning_tokens', 'output_reasoning'];

function usageReader(read: (usage: Usage) => number | undefined): Reader<number> {
  return (value: PresentValue, span: SpanView) => {
    const usage = record(value, span);
    return usage === undefined ? undefined : read(usage);
  };
}

/** The sum of the shares of the input or output, such as audio; undefined unless all shares add up to `total`. */
function sumOfShares(usage: Usage, side: 'input' | 'output'): number | undefined {
  let all = 0;
  let own = 0;
  for (const [name, value] of Object.entries(usage)) {
    const count = name.startsWith('total') ? undefined : tokensOf(value);
    all += count ?? 0;
    if (sideOf(name) === side) own += count ?? 0;
  }
  return all === first(usage, ['total', 'total_tokens']) ? own : undefined;
}

/** Members that are no class of their own. */
const plainNames: ReadonlySet<string> = new Set([
  'input',
  'input_tokens',
  'output',
  'output_tokens',
  'prompt_tokens',
  'completion_tokens',
  ...cachedNames,
  ...cacheWriteNames,
  ...reasoningNames,
]);

/** Further classes among the members: any that begins with `input` or `output`. */
function flatClasses(usage: Usage): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [name, value] of Object.entries(usage)) {
    const count = /^(?:input|output)/.test(name) && !plainNames.has(name) ? tokensOf(value) : undefined;
    if (count !== undefined && count > 0) found[classNamed(name)] = count;
  }
  return found;
}

/** Tokens of the further classes of a side, without those that are read from or written to a cache. */
function sharesOf(usage: Usage, side: 'input' | 'output'): number {
  return Object.entries(flatClasses(usage)).reduce((sum, [name, count]) => (name.startsWith(side) ? sum + count : sum), 0);
}

function cachedShareOf(usage: Usage): number | undefined {
  const audio = flatClasses(usage)['cachedAudio'];
  const cached = first(usage, cachedNames);
  return audio === undefined ? cached : (cached ?? 0) + audio;
}

function writtenShareOf(usage: Usage): number | undefined {
  const { cacheWrite5m = 0, cacheWrite1h = 0 } = flatClasses(usage);
  return first(usage, cacheWriteNames) ?? (cacheWrite5m + cacheWrite1h > 0 ? cacheWrite5m + cacheWrite1h : undefined);
}

const classes: Reader<TokenClasses> = (value, span) => {
  const usage = record(value, span);
  return usage === undefined ? undefined : someOf({ ...nestedClasses(usage), ...flatClasses(usage) });
};

function sideOf(name: string): 'input' | 'output' | undefined {
  if (name.includes('input') || cachedNames.includes(name)) return 'input';
  return name.includes('output') || reasoningNames.includes(name) ? 'output' : undefined;
}

/**
 * Input tokens. Langfuse's names (`input`, `input_cached_tokens`, ...) are shares that add up to `total`: cached tokens are added to
 * `input` unless `total` shows that it includes them. OpenAI's names (`prompt_tokens`) include them.
 */
function inputOf(usage: Usage): number | undefined {
  const input = first(usage, ['input', 'input_tokens']);
  if (input === undefined) return first(usage, ['prompt_tokens', 'promptTokens']);
  const shares = sumOfShares(usage, 'input');
  if (shares !== undefined) return shares;
  // Those of OpenAI's `input_tokens_details` are part of its `input_tokens`.
  const cache = (cachedShareOf(usage) ?? 0) + (writtenShareOf(usage) ?? 0) + sharesOf(usage, 'input');
  const output = first(usage, ['output', 'output_tokens']) ?? 0;
  const included = cache <= input && first(usage, ['total', 'total_tokens']) === input + output;
  return included ? input : input + cache;
}

function cachedOf(usage: Usage): number | undefined {
  return cachedShareOf(usage) ?? usageOf(usage, 'cachedTokens');
}

function cacheWriteOf(usage: Usage): number | undefined {
  return writtenShareOf(usage) ?? usageOf(usage, 'cacheWriteTokens');
}

function reasoningOf(usage: Usage): number | undefined {
  return first(usage, reasoningNames) ?? usageOf(usage, 'reasoningTokens');
}

/** Output tokens. As with the input, reasoning is added to `output` unless `total` or OpenAI's names show that it is included. */
function outputOf(usage: Usage): number | undefined {
  const output = first(usage, ['output', 'output_tokens']);
  if (output === undefined) return first(usage, ['completion_tokens', 'completionTokens']);
  const shares = sumOfShares(usage, 'output');
  if (shares !== undefined) return shares;
  const reasoning = (reasoningOf(usage) ?? 0) + sharesOf(usage, 'output');
  const total = first(usage, ['total', 'total_tokens']);
  const input = inputOf(usage) ?? 0;
  const excluded = reasoning > output || (total !== undefined && total === input + output + reasoning);
  return excluded ? output + reasoning : output;
}

const totalCost: Reader<number> = (value, span) => {
  const costs = record(value, span);
  if (costs === undefined) return undefined;
  const total = numberOf(costs['total']);
  if (total !== undefined) return total;
  const shares = Object.values(costs)
    .map((value) => numberOf(value))
    .filter((share) => share !== undefined);
  return shares.length === 0 ? undefined : shares.reduce((sum, share) => sum + share, 0);
};

const modelAttributes = ['langfuse.observation.model.name', 'gen_ai.response.model', 'gen_ai.request.model'];

/** `span` is also the default type of observations: with a model it determines no kind. */
const observationKind: Reader<SpanKind> = (value, span) => {
  const kind = kindByName(value, span);
  return kind === 'span' && modelAttributes.some((name) => span.get(name) !== undefined) ? undefined : kind;
};

const failureLevels: ReadonlySet<unknown> = new Set(['ERROR', 'FATAL', 'CRITICAL']);

/** Metadata of a trace that earlier releases of the SDK read. */
const legacy = 'langfuse.trace.metadata.langfuse_';
const usageDetails = 'langfuse.observation.usage_details';

/** Langfuse's SDKs. */
export const convention: Convention = {
  name: 'langfuse',
  fields: {
    traceName: { 'langfuse.trace.name': label },
    kind: { 'langfuse.observation.type': observationKind },
    responseModel: { 'langfuse.observation.model.name': label },
    input: { 'langfuse.observation.input': payload, 'langfuse.trace.input': payload },
    output: { 'langfuse.observation.output': payload, 'langfuse.trace.output': payload },
    inputTokens: { [usageDetails]: usageReader(inputOf) },
    outputTokens: { [usageDetails]: usageReader(outputOf) },
    cachedTokens: { [usageDetails]: usageReader(cachedOf) },
    cacheWriteTokens: { [usageDetails]: usageReader(cacheWriteOf) },
    reasoningTokens: { [usageDetails]: usageReader(reasoningOf) },
    tokenClasses: { [usageDetails]: classes },
    costUsd: { 'langfuse.observation.cost_details': totalCost },
    timeToFirstTokenMs: { 'langfuse.observation.completion_start_time': timeSinceStart },
    sessionId: { 'langfuse.session.id': label, [`${legacy}session_id`]: jsonLabel },
    userId: { 'langfuse.user.id': label, [`${legacy}user_id`]: jsonLabel },
    tags: { 'langfuse.trace.tags': tagList, 'langfuse.tags': tagList, [`${legacy}tags`]: tagList },
    promptName: { 'langfuse.observation.prompt.name': label, 'langfuse.prompt.name': label },
    promptVersion: { 'langfuse.observation.prompt.version': version, 'langfuse.prompt.version': version },
    // Langfuse leaves the status of a failed span unset.
    failed: { 'langfuse.observation.level': (value) => (failureLevels.has(value) ? true : undefined) },
    errorCode: { 'langfuse.observation.status_message': statusIn },
    errorMessage: { 'langfuse.observation.status_message': label },
    environment: { 'langfuse.environment': label },
    release: { 'langfuse.release': label },
  },
};
