import { loadedOnce } from '../loaded-once.ts';
import type { Service } from '../service.ts';
import type { OpenPrompts } from './options.ts';

export type { PromptFallback } from './fallback.ts';
export type { OpenPrompts, PromptOptions, Prompts } from './options.ts';
export type { PromptVariables } from './compile-text.ts';
export type { ChatMessage, ChatPrompt, Prompt, TextPrompt } from './prompt.ts';

/** Opens the prompts of a service, with a cache. */
export function openPrompts(service: Service): OpenPrompts {
  const loaded = loadedOnce(async () => (await import('./cached-prompts.ts')).openCachedPrompts(service));
  return {
    get: async (name, options = {}) => (await loaded()).get(name, options),
    settled: async () => (await loaded.loading)?.settled(),
  };
}
