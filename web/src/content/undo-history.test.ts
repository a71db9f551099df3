import { EditorState, Transaction } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import type { EditorView } from '@codemirror/view';
import { expect, test } from 'vitest';
import { undoHistory } from './undo-history.ts';

/** An editor without a page: a state, and keys pressed on it. */
class Keys {
  state = EditorState.create({ doc: 'start', extensions: [undoHistory] });
  #timeMs = 0;

  readonly #view = {
    dispatch: (spec: object) => {
      this.state = this.state.update(spec).state;
    },
  };

  type(text: string, afterMs: number): void {
    this.#timeMs += afterMs;
    const at = this.state.doc.length;
    this.state = this.state.update({
      changes: { from: at, insert: text },
      annotations: Transaction.time.of(this.#timeMs),
      userEvent: 'input.type',
    }).state;
  }

  press(key: string, shift = false): string {
    const binding = this.state
      .facet(keymap)
      .flat()
      .find((one) => one.key === key);
    Object.defineProperty(this.#view, 'state', { get: () => this.state, configurable: true });
    (shift ? binding?.shift : binding?.run)?.(this.#view as unknown as EditorView);
    return this.state.doc.toString();
  }
}

test('typing is taken back in pieces, and comes again', () => {
  const keys = new Keys();
  keys.type('a', 0);
  keys.type('b', 100);
  keys.type('c', 5_000);
  expect(keys.press('Mod-z')).toBe('startab');
  expect(keys.state.selection.main.head).toBe(7);
  expect(keys.press('Mod-z')).toBe('start');
  expect(keys.press('Mod-z')).toBe('start');
  expect(keys.press('Mod-y')).toBe('startab');
  expect(keys.press('Mod-z', true)).toBe('startabc');
  expect(keys.press('Mod-z')).toBe('startab');
  keys.type('x', 5_000);
  expect(keys.press('Mod-y')).toBe('startabx');
  expect(keys.press('Mod-z')).toBe('startab');
});
