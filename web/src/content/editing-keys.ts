import { findClusterBreak } from '@codemirror/state';
import type { EditorState, Extension, SelectionRange } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';

/** The place before or behind a cursor: one character as people see it, or a line's end. */
function beside(state: EditorState, { head }: SelectionRange, forward: boolean): number {
  const line = state.doc.lineAt(head);
  if (head === (forward ? line.to : line.from)) return forward ? Math.min(state.doc.length, head + 1) : Math.max(0, head - 1);
  return line.from + findClusterBreak(line.text, head - line.from, forward);
}

function erase(view: EditorView, forward: boolean, word: boolean): boolean {
  const { main } = view.state.selection;
  const other = word ? view.moveByGroup(main, forward).head : beside(view.state, main, forward);
  const range = main.empty ? { from: Math.min(main.head, other), to: Math.max(main.head, other) } : main;
  if (range.from !== range.to)
    view.dispatch({
      changes: { from: range.from, to: range.to },
      selection: { anchor: range.from },
      scrollIntoView: true,
      userEvent: 'delete',
    });
  return true;
}

function type(view: EditorView, text: string): boolean {
  view.dispatch(view.state.replaceSelection(text), { scrollIntoView: true, userEvent: 'input.type' });
  return true;
}

/**
 * Typing and erasing, done by the editor. Left to itself the browser does both in the page, and to keep the look of what it takes away it
 * puts styles on elements, which the Content-Security-Policy refuses. Tab is not bound: it leads on to the next field.
 */
export const editingKeys: Extension = [
  EditorView.domEventHandlers({
    beforeinput: (event, view) => {
      if (event.inputType !== 'insertText' || event.data === null || event.isComposing || view.composing) return false;
      event.preventDefault();
      return type(view, event.data);
    },
  }),
  keymap.of([
    { key: 'Enter', run: (view) => type(view, view.state.lineBreak), shift: (view) => type(view, view.state.lineBreak) },
    { key: 'Backspace', run: (view) => erase(view, false, false), shift: (view) => erase(view, false, false) },
    { key: 'Delete', run: (view) => erase(view, true, false) },
    { key: 'Mod-Backspace', mac: 'Alt-Backspace', run: (view) => erase(view, false, true) },
    { key: 'Mod-Delete', mac: 'Alt-Delete', run: (view) => erase(view, true, true) },
    {
      key: 'Mod-a',
      run: (view) => {
        view.dispatch({ selection: { anchor: 0, head: view.state.doc.length } });
        return true;
      },
    },
  ]),
];
