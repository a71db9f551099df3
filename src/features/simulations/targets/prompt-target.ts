import type { PromptTarget } from '../../../contract/simulations.ts';
import { isRecord } from '../../../platform/json/index.ts';
import type { ChatMessage, ModelAnswer, ModelClient, ModelParameters, ModelQuestion } from '../../model-connections/index.ts';
import { ModelError } from '../../model-connections/index.ts';
import { fillVariables } from '../../prompts/index.ts';
import type { TargetAnswer } from './http-target.ts';
import { ItemError } from './item-error.ts';
import { checkedOutput, maxOutputBytes } from './output-of.ts';
import { textOf } from './template.ts';

/** A version of a prompt with its references replaced. */
export interface ResolvedPrompt {
  version: number;
  type: 'text' | 'chat';
  /** The text, or the messages of a chat prompt. */
  resolved: string | ReadonlyArray<{ role: string; content: string }>;
  /** What its configuration asks of the model. */
  asks: ModelParameters;
}

/** A model connection with its key. */
export type Connection = NonNullable<Awaited<ReturnType<ModelClient['findConnectionNamed']>>>;

/** What prompt targets need of the model client. */
export interface TargetModels {
  askModel(connection: Connection, question: ModelQuestion): Promise<ModelAnswer>;
}

/** In JSON a character may take twice the bytes that it takes in the output; the output itself is measured. */
const maxAnswerBytes = 2 * maxOutputBytes;
/** Characters of all messages together. */
const maxCharacters = 4_000_000;
/** Roles that model servers know under another name. */
const roles: Readonly<Record<string, ChatMessage['role']>> = {
  system: 'system',
  developer: 'system',
  assistant: 'assistant',
  ai: 'assistant',
  model: 'assistant',
};

/**
 * The messages of a prompt for an item (docs/semantics.md, "Prompt targets").
 *
 * Errors: {@link ItemError} for a variable that the item's input does not have.
 */
export function messagesFor({ type, resolved }: Pick<ResolvedPrompt, 'type' | 'resolved'>, input: unknown): ChatMessage[] {
  const fields = isRecord(input) ? input : null;
  let namesInput = false;
  let characters = 0;
  const valueOf = (name: string): string | undefined => {
    const isGiven = fields === null ? name === 'input' : Object.hasOwn(fields, name);
    if (!isGiven) return undefined;
    if (name === 'input') namesInput = true;
    const inserted = textOf(fields === null ? input : fields[name]);
    characters += inserted.length;
    if (characters > maxCharacters)
      throw new ItemError(`The prompt has more than ${maxCharacters} characters; shorten the input.`);
    return inserted;
  };
  const missing = (name: string): never => {
    throw new ItemError(`The item's input has no ${name}; add it to the item, or take {{${name}}} out of the prompt.`);
  };
  const filled = (text: string): string => fillVariables(text, valueOf, missing);
  const given = typeof resolved === 'string' ? [{ role: 'user', content: resolved }] : resolved;
  const messages = given.map(({ role, content }): ChatMessage => ({ role: roles[role] ?? 'user', content: filled(content) }));
  if (type === 'chat' && fields === null && !namesInput) messages.push({ role: 'user', content: textOf(input) });
  return messages;
}

/**
 * Asks the model of a prompt target. The model client repeats questions that a server did not answer.
 *
 * Errors: {@link ItemError}.
 */
export async function askPromptTarget(
  models: TargetModels,
  { target, prompt, connection }: { target: PromptTarget; prompt: ResolvedPrompt; connection: Connection },
  input: unknown,
  signal: AbortSignal,
): Promise<TargetAnswer> {
  const messages = messagesFor(prompt, input);
  const { parameters, ignored } = prompt.asks;
  const model = target.model ?? prompt.asks.model;
  const started = performance.now();
  try {
    const answer = await models.askModel(connection, {
      messages,
      ...(model === undefined ? {} : { model }),
      parameters,
      maxAnswerBytes,
      signal,
    });
    const latencyMs = performance.now() - started;
    const { inputTokens, outputTokens, costUsd } = answer.usage;
    const call = {
      model: answer.model,
      inputTokens,
      outputTokens,
      messages: JSON.stringify(messages),
      parameters: Object.fromEntries(Object.entries(parameters).filter(([name]) => !answer.refused.includes(name))),
      ignored: [...ignored, ...answer.refused].toSorted(),
    };
    return { output: checkedOutput(answer.content), latencyMs, costUsd, call };
  } catch (error) {
    if (error instanceof ItemError) throw new ItemError(error.message, { latencyMs: performance.now() - started });
    if (!(error instanceof ModelError)) throw error;
    // As with HTTP targets: what was answered, if only with a refusal, has a latency.
    const latencyMs = error.answered ? performance.now() - started : null;
    throw new ItemError(error.message, { latencyMs, cause: error });
  }
}
