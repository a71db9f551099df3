import { useState } from 'react';

interface State {
  subject: string;
  /** Null until something is typed. */
  typed: string | null;
  /** The text of the score that is being saved; undefined while none is. */
  sent: string | null | undefined;
}

const joined = (sent: string | null, typed: string | null) =>
  [sent, typed].filter((text) => text !== null && text.trim() !== '').join(' ');

/**
 * The comment of a score that is being written. Text that is typed while a score is saved belongs to the next subject.
 *
 * @param subject identifies what is scored. Another subject starts with what was typed since `advance` or `leaving`
 * @param leaving the viewer has left the subject without a score; the next one is not known yet
 * @returns `text`, null until something is typed; `advance`, called when a score is sent; `restore`, called when saving failed
 */
export function useCommentDraft(subject: string, leaving: boolean) {
  const [state, setState] = useState<State>({ subject, typed: null, sent: undefined });
  if (state.subject !== subject) setState({ subject, typed: state.sent === undefined ? null : state.typed, sent: undefined });
  else if (leaving && state.sent === undefined) setState({ subject, typed: null, sent: state.typed });
  return {
    text: state.typed ?? (state.sent === undefined ? null : ''),
    write: (typed: string) => setState((now) => ({ ...now, typed })),
    advance: () => setState((now) => (now.sent === undefined ? { ...now, typed: null, sent: now.typed } : now)),
    restore: () =>
      setState((now) => (now.sent === undefined ? now : { ...now, typed: joined(now.sent, now.typed) || null, sent: undefined })),
  };
}
