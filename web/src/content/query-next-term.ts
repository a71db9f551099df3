import { startCompletion } from '@codemirror/autocomplete';
import { Transaction } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { FilterSubject } from '../../../src/contract/filter/fields.ts';
import { filterErrorIn } from '../filter-terms.ts';

/** What a click goes to that edits a term. Its marks are of queryMarks. */
const termParts = '.cm-filter-chip, .cm-filter-actions';

/**
 * A click behind a whole filter begins its next term: it adds the blank without which the next characters would go on with the last term, and opens the
 * completions. The blank is gone when the editor loses the focus. A click in a term edits that term.
 */
export function nextTerm(on: FilterSubject): Extension {
  return EditorView.domEventHandlers({
    click: (event, view) => {
      if (event.target instanceof Element && event.target.closest(termParts)) return false;
      const text = view.state.doc.toString();
      const { main } = view.state.selection;
      if (text === '' || !main.empty || main.head !== text.length) return false;
      if (!/\s$/.test(text)) {
        if (filterErrorIn(text, on) !== null) return false;
        view.dispatch({
          changes: { from: text.length, insert: ' ' },
          selection: { anchor: text.length + 1 },
          annotations: Transaction.addToHistory.of(false),
        });
      }
      startCompletion(view);
      return false;
    },
    blur: (_, view) => {
      const text = view.state.doc.toString();
      const end = text.trimEnd().length;
      if (end < text.length) {
        view.dispatch({ changes: { from: end, to: text.length }, annotations: Transaction.addToHistory.of(false) });
      }
      return false;
    },
  });
}
