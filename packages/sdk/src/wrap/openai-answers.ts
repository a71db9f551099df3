import type { TokenUsage } from '../events.ts';
import type { SpanFields } from '../tracing/span.ts';
import { answerAttributes, countOf } from './answer-fields.ts';
import { answerReader } from './read-answer.ts';
import type { StreamReader } from './read-answer.ts';
import { listOf, recordOf, textOf } from './read-fields.ts';
import type { Loose } from './read-fields.ts';
import type { AnswerReader } from './recorded-call.ts';

export const chatAnswers: AnswerReader = answerReader(
  (data) =>
    chatFields(
      data,
      listOf(data['choices']).map(({ message }) => message),
    ),
  // Hides the chunk with the token counts from an application that did not request it.
  ({ isPrepared }) => new ChatReader(isPrepared),
);

export const responseAnswers: AnswerReader = answerReader(responseFields, () => new ResponseReader());

/** Without the vectors: they are large, and of no use in a trace. */
export const embeddingAnswers: AnswerReader = answerReader((data) => ({
  model: textOf(data['model']),
  usage: usageOf(data['usage']),
}));

/** A transcription as JSON, or as the text that `response_format` asks for. */
export const transcriptionAnswers: AnswerReader = answerReader(
  (data) => ({ output: textOf(data) ?? data['text'], usage: usageOf(data['usage']) }),
  () => new EventReader('transcript.text.delta', 'transcript.text.done', 'text'),
);

/** Where the images are and the prompts that the model made of the given one; images as such are not recorded. */
export const imageAnswers: AnswerReader = answerReader(
  (data) => ({ output: listOf(data['data']).map(imageFields), usage: usageOf(data['usage']) }),
  () => new EventReader('image_generation.partial_image', 'image_generation.completed', null),
);

function imageFields({ b64_json: image, url, revised_prompt }: Loose): Loose {
  return { url, revised_prompt, ...(typeof image === 'string' ? { base64Characters: image.length } : {}) };
}

/** Reads the events of a stream of which the last one has the whole answer. */
class EventReader implements StreamReader {
  readonly #part: string;
  readonly #last: string;
  readonly #output: string | null;
  #end: Loose = {};

  /** @param output the member of the last event that is the output; null for images */
  constructor(part: string, last: string, output: string | null) {
    this.#part = part;
    this.#last = last;
    this.#output = output;
  }

  add(event: Loose): boolean {
    if (event['type'] === this.#last) this.#end = event;
    return event['type'] === this.#part;
  }

  fields(): SpanFields {
    const output = this.#output === null ? [imageFields(this.#end)] : this.#end[this.#output];
    return { output, usage: usageOf(this.#end['usage']) };
  }
}

/** Tokens of chat completions, responses, embeddings, transcriptions and images. */
function usageOf(value: unknown): TokenUsage | undefined {
  const usage = recordOf(value);
  const input = recordOf(usage?.['prompt_tokens_details'] ?? usage?.['input_tokens_details']);
  const output = recordOf(usage?.['completion_tokens_details'] ?? usage?.['output_tokens_details']);
  return (
    usage && {
      inputTokens: countOf(usage['prompt_tokens'] ?? usage['input_tokens']),
      outputTokens: countOf(usage['completion_tokens'] ?? usage['output_tokens']),
      cachedTokens: countOf(input?.['cached_tokens']),
      reasoningTokens: countOf(output?.['reasoning_tokens']),
    }
  );
}

function chatFields(data: Loose, messages: readonly unknown[]): SpanFields {
  const reasons = listOf(data['choices']).map((choice) => choice['finish_reason']);
  return {
    model: textOf(data['model']),
    output: messages.length === 1 ? messages[0] : messages,
    usage: usageOf(data['usage']),
    attributes: answerAttributes(data, reasons),
  };
}

interface StreamedChoice {
  message: Record<string, unknown>;
  reason: unknown;
}

/** Puts the chunks of a chat completion together. */
class ChatReader implements StreamReader {
  readonly #choices: StreamedChoice[] = [];
  readonly #hidesUsage: boolean;
  #head: Loose = {};
  #usage: unknown;

  constructor(hidesUsage: boolean) {
    this.#hidesUsage = hidesUsage;
  }

  hides(chunk: Loose): boolean {
    return this.#hidesUsage && Boolean(chunk['usage']) && listOf(chunk['choices']).length === 0;
  }

  add(chunk: Loose): boolean {
    this.#head = {
      ...this.#head,
      ...(chunk['id'] ? { id: chunk['id'] } : {}),
      ...(chunk['model'] ? { model: chunk['model'] } : {}),
    };
    this.#usage = chunk['usage'] ?? this.#usage;
    let isWritten = false;
    for (const { index, delta, finish_reason: reason } of listOf(chunk['choices'])) {
      const choice = (this.#choices[Number(index)] ??= { message: nothing(), reason: null });
      choice.reason = reason ?? choice.reason;
      const parts = recordOf(delta) ?? {};
      addPiece(choice.message, parts);
      for (const [name, value] of Object.entries(parts)) {
        if (name !== 'role' && (Array.isArray(value) ? value.length > 0 : value)) isWritten = true;
      }
    }
    return isWritten;
  }

  fields(): SpanFields {
    const choices = this.#choices.filter(Boolean);
    const messages = choices.map(({ message: { tool_calls, ...message } }) => {
      // Whole tool calls have no index.
      const calls = listOf(tool_calls).map(({ index: _index, ...call }) => call);
      return calls.length > 0 ? { ...message, tool_calls: calls } : message;
    });
    const head = { ...this.#head, usage: this.#usage, choices: choices.map(({ reason }) => ({ finish_reason: reason })) };
    return chatFields(head, messages);
  }
}

/** Texts that a piece has whole, if it has them: they name something. */
const labels: ReadonlySet<string> = new Set(['role', 'id', 'type', 'name', 'format']);

/** Without a prototype: `__proto__` is a name like any other. */
function nothing(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

/** Adds the next piece of an object. Texts go on, objects and lists are merged; of labels and other values the last one counts. */
function addPiece(target: Record<string, unknown>, piece: Loose): Record<string, unknown> {
  for (const [name, value] of Object.entries(piece)) {
    const before = target[name];
    const parts = recordOf(value);
    if (value === undefined || value === null) target[name] ??= value;
    else if (Array.isArray(value)) target[name] = addElements(Array.isArray(before) ? (before as unknown[]) : [], value);
    else if (parts) target[name] = addPiece((recordOf(before) as Record<string, unknown> | undefined) ?? nothing(), parts);
    else if (typeof value !== 'string' || typeof before !== 'string') target[name] = value;
    else target[name] = labels.has(name) ? value || before : before + value;
  }
  return target;
}

/** Adds to a list. Elements with an index come in pieces, as tool calls do. */
function addElements(list: unknown[], pieces: readonly unknown[]): unknown[] {
  for (const piece of pieces) {
    const parts = recordOf(piece);
    const begun = parts && typeof parts['index'] === 'number' && list.find((one) => isPieceOf(recordOf(one), parts));
    if (begun) addPiece(begun as Record<string, unknown>, parts);
    else list.push(parts ? addPiece(nothing(), parts) : piece);
  }
  return list;
}

/** Whether a piece belongs to an element. Not every piece repeats the type. */
function isPieceOf(element: Loose | undefined, { index, type }: Loose): boolean {
  return element !== undefined && element['index'] === index && (!type || !element['type'] || element['type'] === type);
}

function responseFields(data: Loose): SpanFields {
  const error = recordOf(data['error']);
  return {
    model: textOf(data['model']),
    output: data['output'],
    usage: usageOf(data['usage']),
    attributes: answerAttributes(data, [data['status']]),
    ...(error && { status: 'error', errorCode: textOf(error['code']), errorMessage: textOf(error['message']) }),
  };
}

/** Reads the events of a response: the last one has all of it. */
class ResponseReader implements StreamReader {
  #response: Loose = {};
  #text = '';

  add(event: Loose): boolean {
    const type = textOf(event['type']) ?? '';
    this.#response = recordOf(event['response']) ?? (type === 'error' ? { ...this.#response, error: event } : this.#response);
    if (type === 'response.output_text.delta') this.#text += textOf(event['delta']) ?? '';
    return type.endsWith('.delta');
  }

  fields(): SpanFields {
    const { output, ...response } = this.#response;
    // One that was broken off has no output of its own.
    const written = listOf(output).length > 0 ? output : this.#text || undefined;
    return responseFields({ ...response, output: written });
  }
}
