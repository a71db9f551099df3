import { z } from 'zod';
import { storableText } from '../types/evaluator-type.ts';

/** A model's answer that is no judgement; the message ends the sentence "The judge ...". */
export class NoJudgement extends Error {}

const completion = z.object({
  model: z.string().nullish().catch(null),
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

/** What a completion says that it used; null where it says nothing. */
export interface CompletionUsage {
  inputTokens: number | null;
  outputTokens: number | null;
  cachedTokens: number | null;
  reasoningTokens: number | null;
  /** US dollars, as some gateways tell it. */
  costUsd: number | null;
  /** The model that answered, '' when it does not say. */
  model: string;
}

/** Reads the use of a completion, whatever else stands in it. */
export function usageOf(body: unknown): CompletionUsage {
  const { usage: told, model } = (body ?? {}) as { usage?: unknown; model?: unknown };
  const read = usage.safeParse(told).data;
  return {
    inputTokens: read?.prompt_tokens ?? null,
    outputTokens: read?.completion_tokens ?? null,
    cachedTokens: read?.prompt_tokens_details?.cached_tokens ?? null,
    reasoningTokens: read?.completion_tokens_details?.reasoning_tokens ?? null,
    costUsd: read?.cost ?? null,
    model: typeof model === 'string' ? model.slice(0, 256) : '',
  };
}

/**
 * The score and the reasoning of a completion.
 *
 * Errors: {@link NoJudgement} for anything but a finite number on the scale.
 */
export function judgementOf(
  body: unknown,
  [least, most]: readonly [number, number],
): { score: number; reasoning: string | null } {
  const choice = completion.safeParse(body).data?.choices[0];
  if (!choice) throw new NoJudgement('answered what is no chat completion');
  const { content, refusal } = choice.message;
  if (refusal) throw new NoJudgement('refused to answer');
  const text = typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');
  const found = jsonObjectIn(text);
  if (!found) {
    throw new NoJudgement(
      choice.finish_reason === 'length' ? 'was cut off before it came to a score' : 'did not answer with a JSON object',
    );
  }
  const { score, reasoning } = found;
  if (score === undefined) throw new NoJudgement('gave no score');
  if (typeof score !== 'number' || !Number.isFinite(score)) throw new NoJudgement('gave a score that is not a number');
  if (score < least || score > most) throw new NoJudgement(`gave the score ${score}, which is not between ${least} and ${most}`);
  return { score, reasoning: typeof reasoning === 'string' && reasoning !== '' ? storableText(reasoning) : null };
}

/** The JSON object of an answer: all of it, or the last one with a score in it. Models wrap it in fences and in thoughts. */
function jsonObjectIn(text: string): Record<string, unknown> | null {
  const whole = parsedObject(text);
  if (whole) return whole;
  let last: Record<string, unknown> | null = null;
  for (const candidate of objectsIn(text)) {
    const object = parsedObject(candidate);
    if (object && (last === null || 'score' in object)) last = object;
  }
  return last;
}

function parsedObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** The parts of a text between a brace and the one that closes it, outermost ones, found in one pass. */
function* objectsIn(text: string): Generator<string> {
  let depth = 0;
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') {
      // Outside of an object a quote is prose.
      quoted = depth > 0;
    } else if (character === '{') {
      if (depth++ === 0) start = at;
    } else if (character === '}' && depth > 0 && --depth === 0) {
      yield text.slice(start, at + 1);
    }
  }
}
