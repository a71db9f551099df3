import { draftOf, readDraft, readObjectDraft } from '../../content/value-draft.ts';
import type { ValueDraft } from '../../content/value-draft.ts';
import type { DatasetItem } from '../../api/wire.ts';

const fields = ['input', 'expectedOutput', 'metadata'] as const;
export type ItemField = (typeof fields)[number];
export type ItemDraft = Record<ItemField, ValueDraft>;

/** An item while somebody writes it; a new one unless given. */
export function itemDraftOf(item: DatasetItem | undefined): ItemDraft {
  if (item === undefined) {
    return {
      input: { form: 'text', text: '' },
      expectedOutput: { form: 'none', text: '' },
      metadata: { form: 'json', text: '{}' },
    };
  }
  return { input: draftOf(item.input), expectedOutput: draftOf(item.expectedOutput), metadata: draftOf(item.metadata) };
}

export type ItemBody = { body: string } | { problems: Partial<Record<ItemField, string>> };

/**
 * The body of a request for what was written. What was not touched is left out: what came through the browser may have lost digits of
 * large numbers, and must not be sent back.
 *
 * @param before what the drafts were when they were opened; null for a new item, of which everything is sent
 */
export function itemBody(draft: ItemDraft, before: ItemDraft | null): ItemBody {
  const members: string[] = [];
  const problems: Partial<Record<ItemField, string>> = {};
  for (const field of fields) {
    const { form, text } = draft[field];
    if (before !== null && before[field].form === form && before[field].text === text) continue;
    const read = field === 'metadata' ? readObjectDraft(draft[field]) : readDraft(draft[field]);
    if ('problem' in read) problems[field] = read.problem;
    else if (read.json !== null) members.push(`${JSON.stringify(field)}:${read.json}`);
    else if (before !== null) members.push(`"unset":[${JSON.stringify(field)}]`);
  }
  return Object.keys(problems).length > 0 ? { problems } : { body: `{${members.join(',')}}` };
}
