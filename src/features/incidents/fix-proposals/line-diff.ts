import { diffArrays } from 'diff';
import type { DiffLine } from '../../../contract/fix-proposals.ts';
import type { PromptType } from '../../../contract/prompts.ts';
import { messagesOf } from '../../prompts/index.ts';

/** Lines that are inserted and removed; texts that differ in more are replaced as a whole. Bounds the time, which grows with its square. */
const maxEdits = 1_000;

/**
 * The difference of two stored prompts by lines (docs/semantics.md, "Fix proposals"). The equal and removed lines are the first prompt, the equal and
 * added ones the second.
 */
export function lineDiff(type: PromptType, before: string, after: string): DiffLine[] {
  const [left, right] = [linesOf(type, before), linesOf(type, after)];
  const changes = diffArrays(left, right, { maxEditLength: maxEdits }) ?? [
    { removed: true, added: false, value: left },
    { removed: false, added: true, value: right },
  ];
  return changes.flatMap(({ added, removed, value }) =>
    value.map((text): DiffLine => ({ op: added ? 'add' : removed ? 'remove' : 'equal', text })),
  );
}

/** The lines of a prompt; of a chat prompt `role:` and then the lines of the content, for each message. */
function linesOf(type: PromptType, prompt: string): string[] {
  if (type === 'text') return prompt.split('\n');
  return messagesOf(prompt).flatMap(({ role, content }) => [`${role}:`, ...content.split('\n')]);
}
