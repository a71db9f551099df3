import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Fields of a chat completion request, by their names there. */
export type Parameters = Readonly<Record<string, unknown>>;

/** What is sent of a question's parameters. */
export interface SentParameters {
  /** By the names that the question has. */
  parameters: Parameters;
  /** Names of what is left out. */
  refused: readonly string[];
  /** Whether `max_tokens` is sent as `max_completion_tokens`. */
  renamed: boolean;
}

const maxRemembered = 10_000;

/**
 * What models refused of the parameters of requests. A refusal may be of the field or of its value, so a parameter is remembered with its value.
 * In memory only: losing it costs a rejected request.
 */
export class RefusedParameters {
  readonly #refused = new LRUCache<string, true>({ max: maxRemembered });
  readonly #renamed = new LRUCache<string, true>({ max: maxRemembered });

  /** @param model names a model of a connection */
  of(model: string, parameters: Parameters): SentParameters {
    const entries = Object.entries(parameters);
    const refused = entries.filter(([name, value]) => this.#refused.has(keyOf(model, name, value))).map(([name]) => name);
    return {
      parameters: Object.fromEntries(entries.filter(([name]) => !refused.includes(name))),
      refused,
      renamed: this.#renamed.has(model),
    };
  }

  /** Keeps what the model accepted. @param asked the parameters of the question */
  remember(model: string, asked: Parameters, { refused, renamed }: SentParameters): void {
    for (const name of refused) this.#refused.set(keyOf(model, name, asked[name]), true);
    if (renamed) this.#renamed.set(model, true);
  }
}

/** As the fields of a request. */
export function requestFields({ parameters, renamed }: SentParameters): Record<string, unknown> {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [fieldOf(name, parameters, renamed), value]));
}

/**
 * What to send after a server refused a request: without the first parameter that the refusal names, or with `max_completion_tokens` for
 * `max_tokens` where it proposes that.
 *
 * @param refusal the server's message
 * @returns null when it names none
 */
export function withoutRefused(sent: SentParameters, refusal: string): SentParameters | null {
  const { parameters, refused, renamed } = sent;
  const byField = new Map(Object.keys(parameters).map((name) => [fieldOf(name, parameters, renamed).toLowerCase(), name]));
  const named = [...refusal.matchAll(/[A-Za-z_]\w*/g)].flatMap(([word]) => byField.get(word.toLowerCase()) ?? [])[0];
  if (named === undefined) return null;
  const proposed = /max_completion_tokens/i.test(refusal) && !Object.hasOwn(parameters, 'max_completion_tokens');
  if (named === 'max_tokens' && proposed && !renamed) return { ...sent, renamed: true };
  const { [named]: _refused, ...others } = parameters;
  return { parameters: others, refused: [...refused, named], renamed };
}

function fieldOf(name: string, parameters: Parameters, renamed: boolean): string {
  const isTaken = Object.hasOwn(parameters, 'max_completion_tokens');
  return renamed && name === 'max_tokens' && !isTaken ? 'max_completion_tokens' : name;
}

/** Of a fixed size: a value may be a schema. */
function keyOf(model: string, name: string, value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([model, name, value]))
    .digest('base64');
}
