import {
  acceptCompletion,
  autocompletion,
  closeCompletion,
  completionStatus,
  moveCompletionSelection,
  pickedCompletion,
  selectedCompletion,
  startCompletion,
} from '@codemirror/autocomplete';
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { Prec } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import type { Command } from '@codemirror/view';
import type { FilterCompletion } from '../../../src/contract/filter/complete.ts';
import { visibleText } from '../format/visible-text.ts';

export interface QuerySources {
  /** Completions at the cursor. */
  suggest(text: string, cursor: number, signal: AbortSignal): Promise<readonly FilterCompletion[]>;
  /** Filters that were applied before, the last one first. */
  past(): readonly string[];
}

const shownPast = 8;

function pastCompletions(past: readonly string[]): Completion[] {
  return past.slice(0, shownPast).map((text) => ({
    label: text,
    displayLabel: visibleText(text),
    detail: 'recent',
    apply: (view) =>
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: text.length } }),
  }));
}

function completionOf({ label, insert, start, end, kind }: FilterCompletion): Completion {
  return {
    label,
    displayLabel: visibleText(label),
    detail: kind,
    apply: (view, completion) => {
      const anchor = start + insert.length;
      view.dispatch({
        changes: { from: start, to: Math.min(end, view.state.doc.length), insert },
        selection: { anchor },
        annotations: pickedCompletion.of(completion),
        userEvent: 'input.complete',
      });
      // A field goes on with its value, and a comparison with its number.
      if (kind === 'field') startCompletion(view);
    },
  };
}

async function complete(context: CompletionContext, { suggest, past }: QuerySources): Promise<CompletionResult | null> {
  const text = context.state.doc.toString();
  const abort = new AbortController();
  context.addEventListener('abort', () => abort.abort(), { onDocChange: true });
  const items = await suggest(text, context.pos, abort.signal).catch(() => []);
  if (context.aborted) return null;
  const recent = text.trim() === '' ? pastCompletions(past()) : [];
  // What is already there in whole is no completion.
  const useful = items.filter(({ insert, start, end }) => text.slice(start, end) !== insert);
  const options = [...recent, ...useful.map(completionOf)];
  const from = Math.min(items[0]?.start ?? context.pos, context.pos);
  return options.length === 0 ? null : { from, options, filter: false };
}

const isOpen = (view: EditorView) => completionStatus(view.state) === 'active';
const ifOpen =
  (command: Command): Command =>
  (view) =>
    isOpen(view) && command(view);

/** Takes the chosen completion, or the first. */
const take: Command = (view) => {
  if (!isOpen(view)) return false;
  if (selectedCompletion(view.state) === null) moveCompletionSelection(true)(view);
  return acceptCompletion(view);
};

/** Completions of a filter: fields, values and recent filters. None is chosen at first, so that Enter applies what is written. */
export function queryCompletions(sources: QuerySources): Extension {
  return [
    autocompletion({
      override: [(context) => complete(context, sources)],
      selectOnOpen: false,
      defaultKeymap: false,
      icons: false,
      interactionDelay: 0,
      activateOnTypingDelay: 40,
    }),
    Prec.highest(
      keymap.of([
        { key: 'ArrowDown', run: (view) => (isOpen(view) ? moveCompletionSelection(true)(view) : startCompletion(view)) },
        { key: 'ArrowUp', run: ifOpen(moveCompletionSelection(false)) },
        { key: 'PageDown', run: ifOpen(moveCompletionSelection(true, 'page')) },
        { key: 'PageUp', run: ifOpen(moveCompletionSelection(false, 'page')) },
        { key: 'Enter', run: (view) => isOpen(view) && selectedCompletion(view.state) !== null && acceptCompletion(view) },
        { key: 'Tab', run: take },
        { key: 'Escape', run: closeCompletion },
        { key: 'Ctrl-Space', run: startCompletion },
      ]),
    ),
    EditorView.domEventHandlers({
      focus: (_, view) => {
        if (view.state.doc.length === 0) startCompletion(view);
        return false;
      },
    }),
    completionTheme,
  ];
}

const completionTheme = EditorView.theme({
  '.cm-tooltip.cm-tooltip-autocomplete': {
    border: '1px solid var(--line)',
    borderRadius: '8px',
    backgroundColor: 'var(--raised)',
    boxShadow: 'var(--shadow-high)',
    // Below the frame of the bar.
    marginTop: '6px',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    maxHeight: '18rem',
    minWidth: '16rem',
    maxWidth: 'min(36rem, 90vw)',
    padding: '4px',
    fontFamily: 'ui-monospace, "SF Mono", "DejaVu Sans Mono", monospace',
    fontSize: '12px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    justifyContent: 'space-between',
    gap: '12px',
    padding: '3px 8px',
    borderRadius: '4px',
    color: 'var(--ink)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent-soft)', color: 'var(--ink)' },
  '.cm-completionLabel': { overflow: 'hidden', textOverflow: 'ellipsis' },
  '.cm-completionDetail': { fontStyle: 'normal', fontFamily: 'system-ui, sans-serif', color: 'var(--ink-faint)' },
});
