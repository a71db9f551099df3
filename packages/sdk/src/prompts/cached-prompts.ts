import type { Service } from '../service.ts';
import { fallbackContents } from './fallback.ts';
import type { OpenPrompts } from './options.ts';
import { promptOf } from './prompt.ts';
import { PromptCache } from './prompt-cache.ts';

const defaultTtlMs = 60_000;

/** The prompts of a service, with a cache. */
export function openCachedPrompts(service: Service): OpenPrompts {
  const cache = new PromptCache(service);
  return {
    async get(name, { label, version, fallback, ttlMs = defaultTtlMs } = {}) {
      if (label !== undefined && version !== undefined)
        throw new TypeError('Give the label or the version of a prompt, not both.');
      const selection = { name, label, version };
      if (fallback === undefined) return promptOf(name, await cache.get(selection, ttlMs), false);
      const contents = await cache.find(selection, ttlMs);
      return contents === null ? promptOf(name, fallbackContents(fallback), true) : promptOf(name, contents, false);
    },
    settled: () => cache.settled(),
  };
}
