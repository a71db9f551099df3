import { draftOf, readDraft, readObjectDraft } from './value-draft.ts';
import type { ValueDraft } from './value-draft.ts';
import type { DatasetItem } from '../api/service.ts';

const fields = ['input', 'expectedOutput', 'metadata'] as const;
export type ItemField = (typeof fields)[number];
export type ItemDraft = Record<ItemField, ValueDraft>;

/** The draft of an item; of a new one for undefined. */
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
 * The request body for a draft. Unchanged fields are omitted: large numbers may have lost digits in the browser.
 *
 * @param before the initial draft; null for a new item, for which all fields are sent
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
