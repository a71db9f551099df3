import type { TokenUsage } from '../events.ts';
import type { SpanFields } from '../tracing/span.ts';
import { answerAttributes, countOf } from './answer-fields.ts';
import { answerReader } from './read-answer.ts';
import type { StreamReader } from './read-answer.ts';
import { recordOf, textOf } from './read-fields.ts';
import type { Loose } from './read-fields.ts';
import type { AnswerReader } from './recorded-call.ts';

export { asResponse } from './streamed-response.ts';

export const messageAnswers: AnswerReader = answerReader(messageFields, () => new MessageReader());

function messageFields(message: Loose): SpanFields {
  return {
    model: textOf(message['model']),
    output: { role: 'assistant', content: message['content'] },
    usage: usageOf(recordOf(message['usage'])),
    attributes: answerAttributes(message, [message['stop_reason']]),
  };
}

/** Anthropic counts the tokens that were read from the cache, and those written to it, beside the input; Spanwise counts them within it. */
function usageOf(usage: Loose | undefined): TokenUsage | undefined {
  if (!usage) return undefined;
  const cachedTokens = countOf(usage['cache_read_input_tokens']);
  const cacheWriteTokens = countOf(usage['cache_creation_input_tokens']);
  const fresh = countOf(usage['input_tokens']);
  return {
    inputTokens: fresh === undefined ? undefined : fresh + (cachedTokens ?? 0) + (cacheWriteTokens ?? 0),
    outputTokens: countOf(usage['output_tokens']),
    cachedTokens,
    cacheWriteTokens,
  };
}

/** Puts the events of a message together. The library goes on writing to what the events hold: all of it is copied. */
class MessageReader implements StreamReader {
  #message: Loose = {};
  #usage: Loose = {};
  readonly #blocks: Array<Record<string, unknown>> = [];

  add(event: Loose): boolean {
    const delta = recordOf(event['delta']) ?? {};
    switch (event['type']) {
      case 'message_start':
        this.#message = { ...recordOf(event['message']) };
        this.#count(this.#message['usage']);
        return false;
      case 'content_block_start':
        this.#blocks[Number(event['index'])] = { ...recordOf(event['content_block']) };
        return false;
      case 'content_block_delta':
        addDelta((this.#blocks[Number(event['index'])] ??= {}), delta);
        return true;
      case 'message_delta':
        this.#message = { ...this.#message, ...delta };
        this.#count(event['usage']);
        return false;
      default:
        return false;
    }
  }

  fields(): SpanFields {
    const content = this.#blocks.filter(Boolean).map(({ partial_json: json, ...block }) => {
      return typeof json === 'string' ? { ...block, input: parsed(json) } : block;
    });
    return messageFields({ ...this.#message, content, usage: this.#usage });
  }

  /** Counts are those so far, not further ones. */
  #count(usage: unknown): void {
    const known = Object.entries(recordOf(usage) ?? {}).filter(([, count]) => count !== null && count !== undefined);
    this.#usage = { ...this.#usage, ...Object.fromEntries(known) };
  }
}

/** `text_delta`, `thinking_delta`, `signature_delta` and `input_json_delta` hold the next piece; `citations_delta` one more citation. */
function addDelta(block: Record<string, unknown>, delta: Loose): void {
  for (const [name, piece] of Object.entries(delta)) {
    if (name === 'type') continue;
    if (name === 'citation') block['citations'] = [...((block['citations'] as unknown[] | null) ?? []), piece];
    else block[name] = typeof piece === 'string' ? `${textOf(block[name]) ?? ''}${piece}` : piece;
  }
}

function parsed(json: string): unknown {
  if (json === '') return {};
  try {
    return JSON.parse(json);
  } catch {
    // Broken off.
    return json;
  }
}
