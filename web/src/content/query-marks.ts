import type { EditorState, Extension, Range } from '@codemirror/state';
import { StateField } from '@codemirror/state';
import { Decoration, EditorView, WidgetType } from '@codemirror/view';
import type { DecorationSet } from '@codemirror/view';
import type { FilterSubject } from '../../../src/contract/filter/fields.ts';
import { negatedPart } from '../filter-edit.ts';
import { filterErrorIn, filterTokens, topTerms, withoutPart } from '../filter-terms.ts';
import type { FilterTerm } from '../filter-terms.ts';

const tokenMarks = Object.fromEntries(
  ['field', 'value', 'keyword', 'text', 'bracket'].map((type) => [type, Decoration.mark({ class: `cm-filter-${type}` })]),
);
const chip = Decoration.mark({ class: 'cm-filter-chip', inclusive: false });
const wrong = Decoration.mark({ class: 'cm-filter-error' });

interface TermAction {
  sign: string;
  title: string;
  /** The text after it. */
  act(text: string, term: FilterTerm): string;
}

const actions: readonly TermAction[] = [
  { sign: '≠', title: 'Turn this condition into its opposite', act: negatedPart },
  { sign: '×', title: 'Remove this condition', act: withoutPart },
];

/** The filter changed by a button in it. */
export type OnAction = (text: string) => void;

/** Negates and removes a term. For pointers alone: keys write `-` and delete its text. */
class TermActions extends WidgetType {
  readonly #term: FilterTerm;
  readonly #onAction: OnAction;

  constructor(term: FilterTerm, onAction: OnAction) {
    super();
    this.#term = term;
    this.#onAction = onAction;
  }

  override eq(other: TermActions): boolean {
    return other.#term.start === this.#term.start && other.#term.end === this.#term.end;
  }

  override toDOM(view: EditorView): HTMLElement {
    const group = document.createElement('span');
    group.className = 'cm-filter-actions';
    group.setAttribute('aria-hidden', 'true');
    for (const { sign, title, act } of actions) {
      const button = document.createElement('span');
      button.className = 'cm-filter-action';
      button.textContent = sign;
      button.title = title;
      button.addEventListener('mousedown', (event) => {
        event.preventDefault();
        const insert = act(view.state.doc.toString(), this.#term);
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert }, userEvent: 'input.term' });
        this.#onAction(insert);
      });
      group.append(button);
    }
    return group;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

function marksOf(state: EditorState, on: FilterSubject, onAction: OnAction): DecorationSet {
  const text = state.doc.toString();
  const marks: Array<Range<Decoration>> = filterTokens(text).flatMap(({ type, start, end }) => {
    const mark = tokenMarks[type];
    return mark ? [mark.range(start, end)] : [];
  });
  const error = filterErrorIn(text, on);
  if (error) {
    const end = Math.min(Math.max(error.end, error.start + 1), text.length);
    const start = Math.min(error.start, end);
    // What is being typed is not yet wrong.
    const isTyped = state.selection.main.head === text.length && end === text.length;
    if (start < end && !isTyped) marks.push(wrong.range(start, end));
  } else {
    for (const term of topTerms(text) ?? []) {
      const widget = new TermActions(term, onAction);
      marks.push(chip.range(term.start, term.end), Decoration.widget({ widget, side: 1 }).range(term.end));
    }
  }
  return Decoration.set(marks, true);
}

/** The colours of a filter, its terms as chips that can be edited, and what is wrong underlined. @param onAction a button of a chip was used */
export function queryMarks(on: FilterSubject, onAction: OnAction): Extension {
  const field = StateField.define<DecorationSet>({
    create: (state) => marksOf(state, on, onAction),
    update: (marks, { docChanged, selection, state }) => (docChanged || selection ? marksOf(state, on, onAction) : marks),
    provide: (marks) => EditorView.decorations.from(marks),
  });
  return [field, markTheme];
}

const markTheme = EditorView.theme({
  '.cm-filter-field': { color: 'var(--accent)' },
  '.cm-filter-value': { color: 'var(--ink)', fontWeight: '600' },
  '.cm-filter-keyword': { color: 'var(--kind-agent)', fontWeight: '600' },
  '.cm-filter-bracket': { color: 'var(--ink-soft)' },
  '.cm-filter-text': { color: 'var(--ink)' },
  '.cm-filter-chip': {
    backgroundColor: 'var(--accent-soft)',
    borderRadius: '4px 0 0 4px',
    padding: '2px 0 2px 4px',
  },
  '.cm-filter-actions': {
    backgroundColor: 'var(--accent-soft)',
    borderRadius: '0 4px 4px 0',
    padding: '2px 2px 2px 3px',
    userSelect: 'none',
  },
  '.cm-filter-action': {
    padding: '2px',
    color: 'var(--ink-soft)',
    cursor: 'pointer',
    '&:hover': { color: 'var(--bad)' },
  },
  '.cm-filter-error': { textDecoration: 'underline wavy var(--bad)', textUnderlineOffset: '3px' },
});
