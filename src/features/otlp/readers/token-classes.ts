import { isRecord } from '../../../platform/json/index.ts';
import { record, tokensOf } from './attribute-readers.ts';
import type { Reader, TokenClasses } from './convention.ts';
import type { Usage } from './usage-object.ts';

/** What clients call the classes of the service, without the ending `_tokens`. */
const synonyms: Readonly<Record<string, string>> = {
  input_cache_creation_5m: 'cacheWrite5m',
  input_cache_creation_1h: 'cacheWrite1h',
  ephemeral_5m_input: 'cacheWrite5m',
  ephemeral_1h_input: 'cacheWrite1h',
  cache_audio_read: 'cachedAudio',
  input_cached_audio: 'cachedAudio',
  input_cache_read_audio: 'cachedAudio',
};

/** The class that a client's name stands for: `input_audio_tokens` is `inputAudio`. */
export function classNamed(name: string): string {
  const bare = name.replace(/_tokens?$/, '');
  return synonyms[bare] ?? bare.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Classes within the details of OpenAI's usage that have prices of their own; the others have the price of their side. */
const mediaOf = /^(audio|image|video)_tokens$/;
const sides: Readonly<Record<string, string>> = {
  input_tokens_details: 'input',
  prompt_tokens_details: 'input',
  output_tokens_details: 'output',
  completion_tokens_details: 'output',
};

/** Tokens of audio, images and video, and Anthropic's two lengths of cache writes, in a provider's usage object. */
export function nestedClasses(usage: Usage): TokenClasses {
  const found: Record<string, number> = {};
  const add = (name: string, value: unknown) => {
    const count = tokensOf(value);
    if (count !== undefined && count > 0) found[name] = count;
  };
  for (const [key, side] of Object.entries(sides)) {
    const details = usage[key];
    if (!isRecord(details)) continue;
    for (const [name, value] of Object.entries(details)) if (mediaOf.test(name)) add(classNamed(`${side}_${name}`), value);
    const cached = details['cached_tokens_details'];
    if (isRecord(cached)) add('cachedAudio', cached['audio_tokens']);
  }
  const written = usage['cache_creation'];
  if (isRecord(written))
    for (const [name, value] of Object.entries(written))
      if (Object.hasOwn(synonyms, name.replace(/_tokens$/, ''))) add(classNamed(name), value);
  return found;
}

/** Reads {@link nestedClasses} from an attribute, as JSON or as the text of a Python dictionary. */
export const usageClasses: Reader<TokenClasses> = (value, span) => {
  const usage = record(value, span);
  return usage === undefined ? undefined : someOf(nestedClasses(usage));
};

/** Reads a count of one class. */
export function classReader(name: string): Reader<TokenClasses> {
  return (value) => {
    const count = tokensOf(value);
    return count === undefined || count === 0 ? undefined : { [name]: count };
  };
}

/** undefined for none. */
export function someOf(classes: TokenClasses): TokenClasses | undefined {
  return Object.keys(classes).length === 0 ? undefined : classes;
}
