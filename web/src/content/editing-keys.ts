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
      view.dispatch(view.state.replaceSelection(event.data), { scrollIntoView: true, userEvent: 'input.type' });
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
