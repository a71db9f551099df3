import { compileText } from './compile-text.ts';
import type { PromptVariables } from './compile-text.ts';

/** A message of a chat prompt. Other fields are as they were stored. */
export interface ChatMessage {
  role: string;
  content: string;
  [field: string]: unknown;
}

interface AnyPrompt {
  name: string;
  /** Null of a fallback. */
  version: number | null;
  config: Record<string, unknown>;
  /** The service could not be asked and nothing was cached, or it has no such prompt. */
  isFallback: boolean;
}

/** A prompt that is one text. */
export interface TextPrompt extends AnyPrompt {
  type: 'text';
  /** With its references replaced; variables such as `{{name}}` are in it. */
  prompt: string;
  /** The text with its variables replaced. Errors: RangeError, which names the variables that are not given. */
  compile(variables?: PromptVariables): string;
}

/** A prompt of several messages. */
export interface ChatPrompt extends AnyPrompt {
  type: 'chat';
  /** With references replaced; variables such as `{{name}}` are in their contents. */
  prompt: ChatMessage[];
  /** The messages with the variables of their contents replaced. Errors: RangeError, which names the variables that are not given. */
  compile(variables?: PromptVariables): ChatMessage[];
}

export type Prompt = TextPrompt | ChatPrompt;

/** What is known of a prompt. Objects are kept as JSON: each caller gets copies of its own. */
export interface PromptContents {
  version: number | null;
  /** A text, or an array of messages, as JSON. */
  promptJson: string;
  configJson: string;
}

/** A prompt for one caller. */
export function promptOf(name: string, { version, promptJson, configJson }: PromptContents, isFallback: boolean): Prompt {
  const prompt = JSON.parse(promptJson) as string | ChatMessage[];
  const common = { name, version, config: JSON.parse(configJson) as Record<string, unknown>, isFallback };
  if (typeof prompt === 'string')
    return { ...common, type: 'text', prompt, compile: (variables = {}) => compiled(name, [prompt], variables)[0] ?? '' };
  return {
    ...common,
    type: 'chat',
    prompt,
    compile(variables = {}) {
      const contents = compiled(
        name,
        prompt.map(({ content }) => content),
        variables,
      );
      return prompt.map((message, index) => ({ ...message, content: contents[index] ?? '' }));
    },
  };
}

function compiled(name: string, texts: readonly string[], variables: PromptVariables): string[] {
  const missing = new Set<string>();
  const result = texts.map((text) => compileText(text, variables, missing));
  if (missing.size === 0) return result;
  const names = [...missing].map((one) => `{{${one}}}`).join(', ');
  throw new RangeError(`The prompt ${JSON.stringify(name)} has variables without a value: ${names}. Pass them to compile().`);
}
