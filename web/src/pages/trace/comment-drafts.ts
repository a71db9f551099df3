/** A comment that is not sent yet. */
export interface CommentDraft {
  text: string;
  /** The part of the contents that it is about. */
  field: 'input' | 'output' | null;
}

const none: CommentDraft = { text: '', field: null };
const drafts = new Map<string, CommentDraft>();

/** The draft of a trace or span: it stays while the viewer looks at others. */
export function draftOf(target: string): CommentDraft {
  return drafts.get(target) ?? none;
}

export function keepDraft(target: string, draft: CommentDraft): void {
  if (draft.text === '' && draft.field === null) drafts.delete(target);
  else drafts.set(target, draft);
}
