import { isRecord } from '../../../platform/json/index.ts';
import { label, numberOf, record, tagList, timeSinceStart, tokensOf, version } from '../mapping/attribute-readers.ts';
import type { SpanKind } from '../../../contract/kinds.ts';
import type { Convention, Reader } from '../mapping/convention.ts';
import { kindByName } from '../mapping/kind-by-name.ts';
import { leadingStatus } from '../mapping/leading-status.ts';
import { payload } from '../mapping/payload-json.ts';
import type { SpanView } from '../mapping/span-view.ts';
import type { PresentValue } from '../wire/attribute.ts';

const cachedNames = ['input_cached_tokens', 'cache_read_input_tokens', 'input_cache_read', 'cached_tokens'];
const cacheWriteNames = ['cache_creation_input_tokens', 'input_cache_creation', 'cache_write_input_tokens', 'input_cache_write'];
const reasoningNames = ['output_reasoning_tokens', 'reasoning_tokens', 'output_reasoning'];

type Usage = Readonly<Record<string, unknown>>;

function first(usage: Usage, names: readonly string[]): number | undefined {
  for (const name of names) {
    const count = Object.hasOwn(usage, name) ? tokensOf(usage[name]) : undefined;
    if (count !== undefined) return count;
  }
  return undefined;
}

function details(usage: Usage, name: string): Usage {
  const value = usage[name];
  return isRecord(value) ? value : {};
}

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
  const cache = (cachedOf(usage) ?? 0) + (cacheWriteOf(usage) ?? 0);
  const output = first(usage, ['output', 'output_tokens']) ?? 0;
  const included = cache <= input && first(usage, ['total', 'total_tokens']) === input + output;
  return included ? input : input + cache;
}

function cachedOf(usage: Usage): number | undefined {
  return first(usage, cachedNames) ?? first(details(usage, 'prompt_tokens_details'), ['cached_tokens']);
}

function cacheWriteOf(usage: Usage): number | undefined {
  return first(usage, cacheWriteNames);
}

function reasoningOf(usage: Usage): number | undefined {
  return first(usage, reasoningNames) ?? first(details(usage, 'completion_tokens_details'), ['reasoning_tokens']);
}

/** Output tokens. As with the input, reasoning is added to `output` unless `total` or OpenAI's names show that it is included. */
function outputOf(usage: Usage): number | undefined {
  const output = first(usage, ['output', 'output_tokens']);
  if (output === undefined) return first(usage, ['completion_tokens', 'completionTokens']);
  const shares = sumOfShares(usage, 'output');
  if (shares !== undefined) return shares;
  const reasoning = reasoningOf(usage) ?? 0;
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
    costUsd: { 'langfuse.observation.cost_details': totalCost },
    timeToFirstTokenMs: { 'langfuse.observation.completion_start_time': timeSinceStart },
    sessionId: { 'langfuse.session.id': label, [`${legacy}session_id`]: label },
    userId: { 'langfuse.user.id': label, [`${legacy}user_id`]: label },
    tags: { 'langfuse.trace.tags': tagList, 'langfuse.tags': tagList, [`${legacy}tags`]: tagList },
    promptName: { 'langfuse.observation.prompt.name': label, 'langfuse.prompt.name': label },
    promptVersion: { 'langfuse.observation.prompt.version': version, 'langfuse.prompt.version': version },
    // Langfuse leaves the status of a failed span unset.
    failed: { 'langfuse.observation.level': (value) => (failureLevels.has(value) ? true : undefined) },
    errorCode: { 'langfuse.observation.status_message': leadingStatus },
    errorMessage: { 'langfuse.observation.status_message': label },
    environment: { 'langfuse.environment': label },
    release: { 'langfuse.release': label },
  },
};
