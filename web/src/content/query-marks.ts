import type { EditorState, Extension, Range } from '@codemirror/state';
import { StateField } from '@codemirror/state';
import { Decoration, EditorView, WidgetType } from '@codemirror/view';
import type { DecorationSet } from '@codemirror/view';
import type { FilterSubject } from '../../../src/contract/filter/fields.ts';
import { filterErrorIn, filterTokens, topTerms, withoutPart } from '../filter-terms.ts';
import type { FilterTerm } from '../filter-terms.ts';

const tokenMarks = Object.fromEntries(
  ['field', 'value', 'keyword', 'text', 'bracket'].map((type) => [type, Decoration.mark({ class: `cm-filter-${type}` })]),
);
const chip = Decoration.mark({ class: 'cm-filter-chip', inclusive: false });
const wrong = Decoration.mark({ class: 'cm-filter-error' });

/** Removes a term. For pointers alone: keys delete its text. */
class RemoveTerm extends WidgetType {
  readonly #term: FilterTerm;

  constructor(term: FilterTerm) {
    super();
    this.#term = term;
  }

  override eq(other: RemoveTerm): boolean {
    return other.#term.start === this.#term.start && other.#term.end === this.#term.end;
  }

  override toDOM(view: EditorView): HTMLElement {
    const button = document.createElement('span');
    button.className = 'cm-filter-remove';
    button.textContent = '×';
    button.title = 'Remove this condition';
    button.setAttribute('aria-hidden', 'true');
    button.addEventListener('mousedown', (event) => {
      event.preventDefault();
      const insert = withoutPart(view.state.doc.toString(), this.#term);
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert }, userEvent: 'delete.term' });
    });
    return button;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

function marksOf(state: EditorState, on: FilterSubject): DecorationSet {
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
      marks.push(chip.range(term.start, term.end), Decoration.widget({ widget: new RemoveTerm(term), side: 1 }).range(term.end));
    }
  }
  return Decoration.set(marks, true);
}

/** The colours of a filter, its terms as chips that can be edited, and what is wrong underlined. */
export function queryMarks(on: FilterSubject): Extension {
  const field = StateField.define<DecorationSet>({
    create: (state) => marksOf(state, on),
    update: (marks, { docChanged, selection, state }) => (docChanged || selection ? marksOf(state, on) : marks),
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
  '.cm-filter-remove': {
    backgroundColor: 'var(--accent-soft)',
    borderRadius: '0 4px 4px 0',
    padding: '2px 4px',
    color: 'var(--ink-soft)',
    cursor: 'pointer',
    userSelect: 'none',
    '&:hover': { color: 'var(--bad)' },
  },
  '.cm-filter-error': { textDecoration: 'underline wavy var(--bad)', textUnderlineOffset: '3px' },
});
