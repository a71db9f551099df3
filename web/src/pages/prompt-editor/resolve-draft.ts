import { promptMessages } from '../../content/prompt-messages.ts';
import { promptParts, referenceKey, referencesOf } from '../../content/prompt-parts.ts';
import type { PromptReference } from '../../content/prompt-parts.ts';

/** The resolution of a reference: its text, or an error. */
export type Target = { text: string } | { problem: string };

interface DraftPrompt {
  type: 'text' | 'chat';
  prompt: string;
}

/** The references of a draft. */
export function draftReferences({ type, prompt }: DraftPrompt): PromptReference[] {
  const messages = type === 'chat' ? promptMessages(prompt) : null;
  const texts = type === 'chat' ? (messages ?? []).map(({ content }) => content) : [prompt];
  return referencesOf(texts.flatMap(promptParts));
}

/** Replaces resolved references by their text. Others keep their source text. */
export function resolveDraft({ type, prompt }: DraftPrompt, targets: ReadonlyMap<string, Target>): unknown {
  const resolved = (text: string) =>
    promptParts(text)
      .map((part) => {
        const target = part.kind === 'reference' ? targets.get(referenceKey(part)) : undefined;
        return target && 'text' in target ? target.text : part.text;
      })
      .join('');
  if (type === 'text') return resolved(prompt);
  const messages = promptMessages(prompt);
  return messages?.map(({ role, content, rest }) => ({ role, content: resolved(content), ...rest })) ?? prompt;
}
