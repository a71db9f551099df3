import type { Service } from '../service.ts';
import type { OpenPrompts } from './options.ts';

export type { PromptFallback } from './fallback.ts';
export type { OpenPrompts, PromptOptions, Prompts } from './options.ts';
export type { PromptVariables } from './compile-text.ts';
export type { ChatMessage, ChatPrompt, Prompt, TextPrompt } from './prompt.ts';

/** Opens the prompts of a service, with a cache. */
export function openPrompts(service: Service): OpenPrompts {
  let loading: Promise<OpenPrompts> | null = null;
  return {
    async get(name, options = {}) {
      loading ??= import('./cached-prompts.ts')
        .then(({ openCachedPrompts }) => openCachedPrompts(service))
        .catch((error: unknown) => {
          loading = null;
          throw error;
        });
      return (await loading).get(name, options);
    },
    settled: async () => (await loading)?.settled(),
  };
}
