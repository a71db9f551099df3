import { Annotation, StateEffect, StateField, Transaction } from '@codemirror/state';
import type { ChangeSet, EditorState, Extension, TransactionSpec } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import type { EditorView } from '@codemirror/view';

/** Typing that follows within this time is undone together. */
const togetherMs = 600;
const mostSteps = 500;

interface Step {
  /** Takes the step back. */
  changes: ChangeSet;
  atMs: number;
}

interface History {
  done: readonly Step[];
  undone: readonly Step[];
}

const fromHistory = Annotation.define<boolean>();
const replaced = StateEffect.define<History>();

const history = StateField.define<History>({
  create: () => ({ done: [], undone: [] }),
  update(before, transaction) {
    for (const effect of transaction.effects) if (effect.is(replaced)) return effect.value;
    if (!transaction.docChanged || transaction.annotation(fromHistory)) return before;
    const changes = transaction.changes.invert(transaction.startState.doc);
    const atMs = transaction.annotation(Transaction.time) ?? 0;
    const last = before.done.at(-1);
    const typing = transaction.isUserEvent('input.type') || transaction.isUserEvent('delete');
    const done =
      last && typing && atMs - last.atMs < togetherMs
        ? [...before.done.slice(0, -1), { changes: changes.compose(last.changes), atMs }]
        : [...before.done.slice(1 - mostSteps), { changes, atMs }];
    return { done, undone: [] };
  },
});

/** Where the cursor belongs after a step: behind what came back. */
function endOf(changes: ChangeSet): number {
  let end = 0;
  changes.iterChangedRanges((_fromA, _toA, _fromB, toB) => {
    end = toB;
  });
  return end;
}

function stepBack(state: EditorState, from: 'done' | 'undone'): TransactionSpec | null {
  const now = state.field(history);
  const step = now[from].at(-1);
  if (!step) return null;
  const back = { changes: step.changes.invert(state.doc), atMs: 0 };
  const done = from === 'done' ? now.done.slice(0, -1) : [...now.done, back];
  const undone = from === 'done' ? [...now.undone, back] : now.undone.slice(0, -1);
  return {
    changes: step.changes,
    selection: { anchor: endOf(step.changes) },
    effects: replaced.of({ done, undone }),
    annotations: fromHistory.of(true),
    scrollIntoView: true,
    userEvent: from === 'done' ? 'undo' : 'redo',
  };
}

const run = (from: 'done' | 'undone') => (view: EditorView) => {
  const spec = stepBack(view.state, from);
  if (spec) view.dispatch(spec);
  return true;
};

/** Undo and redo. CodeMirror's own stands in a package with all its other commands, of which nothing else is used here. */
export const undoHistory: Extension = [
  history,
  keymap.of([
    { key: 'Mod-z', run: run('done'), shift: run('undone') },
    { key: 'Mod-y', run: run('undone') },
  ]),
];
