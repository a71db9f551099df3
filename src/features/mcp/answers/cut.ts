import { cutText } from '../../../platform/text/index.ts';
import type { Answer } from '../tool.ts';

/** The first characters of a text, with a mark that says how much is missing; a text that is short enough is returned as it is. */
export function cut(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const shown = cutText(text, maxCharacters);
  return `${shown} … [cut: ${shown.length} of ${text.length} characters]`;
}

/** Fields whose JSON has more characters are replaced by their text, or their JSON as text, {@link cut}. */
export function cutFields(value: Answer, maxCharacters: number): Answer {
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const text = typeof field === 'string' ? field : JSON.stringify(field);
      return [name, text !== undefined && text.length > maxCharacters ? cut(text, maxCharacters) : field];
    }),
  );
}
