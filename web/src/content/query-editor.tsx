import { history, historyKeymap } from '@codemirror/commands';
import { EditorState, Prec } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { EditorView, highlightSpecialChars, keymap, placeholder } from '@codemirror/view';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { ReactNode } from 'react';
import type { FilterSubject } from '../../../src/contract/filter/fields.ts';
import { hiddenCharacters } from './code-theme.ts';
import { editingKeys } from './editing-keys.ts';
import { queryCompletions } from './query-completions.ts';
import type { QuerySources } from './query-completions.ts';
import { queryMarks } from './query-marks.ts';
import { nextTerm } from './query-next-term.ts';

export interface QueryEditorProps extends QuerySources {
  label: string;
  on: FilterSubject;
  /** The text; one that changes outside replaces what was typed. */
  value: string;
  hint: string;
  onText(text: string): void;
  /** Enter was pressed. */
  onEnter(text: string): void;
  onBlur(): void;
}

/** The editor of a filter, on one line that wraps. In a shadow root, whose styles the Content-Security-Policy allows. */
export default function QueryEditor(props: QueryEditorProps): ReactNode {
  const { label, on, value, hint } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  // Texts that were typed and not yet rendered: a form renders more slowly than one types.
  const typed = useRef<string[]>([]);
  const changed = useEffectEvent((text: string) => {
    typed.current.push(text);
    props.onText(text);
  });
  const entered = useEffectEvent((text: string) => props.onEnter(text));
  // A button of a chip is applied at once, as it is no typing.
  const acted = useEffectEvent((text: string) => props.onEnter(text));
  const left = useEffectEvent(() => props.onBlur());
  const suggest = useEffectEvent((text: string, cursor: number, signal: AbortSignal) => props.suggest(text, cursor, signal));
  const past = useEffectEvent(() => props.past());
  const start = useEffectEvent(() => value);
  useEffect(() => {
    if (!host.current) return undefined;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open', delegatesFocus: true });
    const state = EditorState.create({
      doc: start(),
      extensions: [
        queryCompletions({ suggest: (...asked) => suggest(...asked), past: () => past() }),
        // Before what tells that the editor was left.
        nextTerm(on),
        keysOf({ entered: (text) => entered(text), changed: (text) => changed(text), left: () => left() }),
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', autocapitalize: 'off', tabindex: '0' }),
        placeholder(hint),
        queryMarks(on, (text) => acted(text)),
        highlightSpecialChars({ addSpecialChars: hiddenCharacters }),
        oneLine,
        theme,
      ],
    });
    view.current = new EditorView({ root, parent: root, state });
    return () => {
      view.current?.destroy();
      view.current = null;
    };
  }, [label, on, hint]);
  useEffect(() => {
    const editor = view.current;
    const own = typed.current.indexOf(value);
    typed.current = typed.current.slice(own + 1);
    if (!editor || own !== -1 || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value }, selection: { anchor: value.length } });
  }, [value]);
  return <div ref={host} data-search className="min-w-0 flex-1" />;
}

interface Handlers {
  entered(text: string): void;
  changed(text: string): void;
  left(): void;
}

function keysOf({ entered, changed, left }: Handlers): Extension {
  return [
    // Before the keys of an editor with lines, behind those of the completions.
    Prec.high(
      keymap.of([
        {
          key: 'Enter',
          run: ({ state }) => {
            entered(state.doc.toString());
            return true;
          },
        },
        {
          key: 'Escape',
          run: (editor) => {
            editor.contentDOM.blur();
            return true;
          },
        },
      ]),
    ),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) changed(update.state.doc.toString());
    }),
    EditorView.domEventHandlers({
      blur: () => {
        left();
        return false;
      },
    }),
    history(),
    editingKeys,
    keymap.of(historyKeymap),
  ];
}

/** Line ends become spaces. */
const oneLine: Extension = [
  EditorState.transactionFilter.of((transaction) => {
    if (!transaction.docChanged || transaction.newDoc.lines === 1) return transaction;
    const { newDoc } = transaction;
    const insert = newDoc
      .toString()
      .split('\n')
      .map((line) => line.trim())
      .join(' ');
    return [
      transaction,
      { changes: { from: 0, to: newDoc.length, insert }, selection: { anchor: insert.length }, sequential: true },
    ];
  }),
  EditorView.lineWrapping,
];

const theme = EditorView.theme({
  '&': { fontSize: '12px', color: 'var(--ink)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'ui-monospace, "SF Mono", "DejaVu Sans Mono", monospace',
    lineHeight: '22px',
    maxHeight: '8rem',
    overflow: 'auto',
  },
  '.cm-content': { padding: '4px 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 4px' },
  '.cm-placeholder': {
    display: 'inline-block',
    maxWidth: '100%',
    overflow: 'hidden',
    verticalAlign: 'top',
    whiteSpace: 'nowrap',
    textOverflow: 'ellipsis',
    color: 'var(--ink-faint)',
    fontFamily: 'system-ui, sans-serif',
  },
  '.cm-specialChar': { color: 'var(--bad)' },
});
