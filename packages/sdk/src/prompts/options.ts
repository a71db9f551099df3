import type { PromptFallback } from './fallback.ts';
import type { Prompt } from './prompt.ts';

export interface PromptOptions {
  /** The version with this label. Without label and version: `production`, or else `latest`. */
  label?: string | undefined;
  version?: number | undefined;
  /** Used when the prompt is neither cached nor to be had: a text, messages, or an object with `prompt` and `config`. */
  fallback?: PromptFallback | undefined;
  /** Milliseconds for which a copy counts as fresh. Default: 60,000. */
  ttlMs?: number | undefined;
}

/** The prompts of the project. */
export interface Prompts {
  /**
   * A version of a prompt. A copy that is older than `ttlMs` is returned, and refreshed meanwhile; when the service is away, however old it is. What
   * the service does not have any more is not returned after the next refresh.
   *
   * Errors: there is no such prompt, or it cannot be fetched, and there is no fallback.
   */
  get(name: string, options?: PromptOptions): Promise<Prompt>;
}

export interface OpenPrompts extends Prompts {
  /** Resolves when what is being fetched now is, or has failed. Never rejects. */
  settled(): Promise<void>;
}
