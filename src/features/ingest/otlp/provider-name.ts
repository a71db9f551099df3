import { label } from './attribute-readers.ts';
import type { Reader } from './convention.ts';

/** What the Vercel AI SDK puts behind a provider's name: which of its interfaces was called. */
const api = /\.(?:chat|messages|responses|completions?|embeddings?|text-?embedding|image|speech|transcription|generative-ai)$/i;

/** A provider's name without the interface: `openai.chat` is `openai`, but `aws.bedrock` stays. */
export const withoutApi: Reader<string> = (value, span) => label(value, span)?.replace(api, '');
