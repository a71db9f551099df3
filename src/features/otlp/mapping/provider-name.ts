import { label } from './attribute-readers.ts';
import type { Reader } from './convention.ts';

/** The suffix by which the Vercel AI SDK names the provider's interface. */
const api = /\.(?:chat|messages|responses|completions?|embeddings?|text-?embedding|image|speech|transcription|generative-ai)$/i;

/** Reads a provider's name without that suffix: `openai.chat` is `openai`; `aws.bedrock` is unchanged. */
export const providerName: Reader<string> = (value, span) => label(value, span)?.replace(api, '');
