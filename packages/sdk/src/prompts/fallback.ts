import type { ChatMessage, PromptContents } from './prompt.ts';

type FallbackMessage = Readonly<ChatMessage> | { readonly role: string; readonly content: string };

/** What stands in for a prompt that cannot be had. */
export type PromptFallback =
  | string
  | readonly FallbackMessage[]
  | { readonly prompt: string | readonly FallbackMessage[]; readonly config?: Readonly<Record<string, unknown>> | undefined };

/** The contents of a fallback. */
export function fallbackContents(fallback: PromptFallback): PromptContents {
  const isWhole = typeof fallback === 'object' && 'prompt' in fallback;
  return {
    version: null,
    promptJson: JSON.stringify(isWhole ? fallback.prompt : fallback),
    configJson: JSON.stringify((isWhole ? fallback.config : undefined) ?? {}),
  };
}
