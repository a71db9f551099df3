import { z } from 'zod';

const completion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish().catch(null),
        message: z.object({
          content: z.union([z.string(), z.array(z.object({ text: z.string().optional() }))]).nullish(),
          refusal: z.string().nullish().catch(null),
        }),
      }),
    )
    .min(1),
});

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullish().catch(null);
const usage = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: z.object({ cached_tokens: count }).nullish().catch(null),
  completion_tokens_details: z.object({ reasoning_tokens: count }).nullish().catch(null),
  cost: z.number().min(0).nullish().catch(null),
});

/** The usage that a completion reports; null where it reports nothing. */
export interface CompletionUsage {
  inputTokens: number | null;
  outputTokens: number | null;
  cachedTokens: number | null;
  reasoningTokens: number | null;
  /** US dollars, as some gateways report it. */
  costUsd: number | null;
  /** The model that answered, '' when the completion does not name it. */
  model: string;
}

/** The first choice of a completion. */
export interface CompletionChoice {
  text: string;
  /** The model refuses to answer. */
  refused: boolean;
  /** The answer ended at the limit of tokens. */
  cutOff: boolean;
}

/** Reads the usage of a completion, even if the rest of the body is invalid. */
export function usageOf(body: unknown): CompletionUsage {
  const { usage: reported, model } = (body ?? {}) as { usage?: unknown; model?: unknown };
  const read = usage.safeParse(reported).data;
  return {
    inputTokens: read?.prompt_tokens ?? null,
    outputTokens: read?.completion_tokens ?? null,
    cachedTokens: read?.prompt_tokens_details?.cached_tokens ?? null,
    reasoningTokens: read?.completion_tokens_details?.reasoning_tokens ?? null,
    costUsd: read?.cost ?? null,
    model: typeof model === 'string' ? model.slice(0, 256) : '',
  };
}

/** Reads the first choice of a completion; null when the body is not a chat completion. */
export function choiceOf(body: unknown): CompletionChoice | null {
  const choice = completion.safeParse(body).data?.choices[0];
  if (!choice) return null;
  const { content, refusal } = choice.message;
  const text = typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');
  return { text, refused: Boolean(refusal), cutOff: choice.finish_reason === 'length' };
}
