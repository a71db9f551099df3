import {
  deleteCharBackwardStrict,
  deleteCharForward,
  deleteGroupBackward,
  deleteGroupForward,
  insertNewline,
  selectAll,
} from '@codemirror/commands';
import type { Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';

/**
 * Performs typing and deleting with editor commands. The browser's own editing sets style attributes on elements to preserve their look,
 * which the Content-Security-Policy rejects. Tab is not bound: it moves to the next field.
 */
export const editingKeys: Extension = [
  EditorView.domEventHandlers({
    beforeinput: (event, view) => {
      if (event.inputType !== 'insertText' || event.data === null || event.isComposing || view.composing) return false;
      event.preventDefault();
      const { from, to } = replacedBy(event, view);
      view.dispatch({
        changes: { from, to, insert: event.data },
        selection: { anchor: from + event.data.length },
        scrollIntoView: true,
        userEvent: 'input.type',
      });
      return true;
    },
  }),
  keymap.of(
    [
      { key: 'Enter', run: insertNewline, shift: insertNewline },
      { key: 'Backspace', run: deleteCharBackwardStrict, shift: deleteCharBackwardStrict },
      { key: 'Delete', run: deleteCharForward },
      { key: 'Mod-Backspace', mac: 'Alt-Backspace', run: deleteGroupBackward },
      { key: 'Mod-Delete', mac: 'Alt-Delete', run: deleteGroupForward },
      { key: 'Mod-a', run: selectAll },
    ].map((binding) => ({ ...binding, preventDefault: true })),
  ),
];

/**
 * What typed text replaces: the selection of the document, of which the editor may not have been told yet. Of a selection that reaches beyond what is drawn the
 * document has a part alone.
 */
function replacedBy(event: InputEvent, view: EditorView): { from: number; to: number } {
  const { main } = view.state.selection;
  const [range] = event.getTargetRanges();
  const isDrawn = view.visibleRanges.some(({ from, to }) => from <= main.from && main.to <= to);
  if (!range || !isDrawn || ![range.startContainer, range.endContainer].every((node) => view.contentDOM.contains(node)))
    return main;
  const from = view.posAtDOM(range.startContainer, range.startOffset);
  return { from, to: Math.max(from, view.posAtDOM(range.endContainer, range.endOffset)) };
}
