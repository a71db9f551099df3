import { json } from '@codemirror/lang-json';
import { bidiIsolates, bracketMatching, codeFolding, foldGutter, foldKeymap, syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightSpecialChars, keymap } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { codeHosts } from './code-hosts.ts';
import type { FindText } from './find-text.ts';
import { codeColors, codeTheme, hiddenCharacters } from './code-theme.ts';

/** Longer texts, in characters, are not parsed for colours and folding. */
const maxHighlighted = 2_000_000;

interface CodeViewProps {
  label: string;
  text: string;
  /** Selects the first occurrence of a text and scrolls to it. Each request is a new object. */
  find?: FindText | null;
}

/**
 * A viewer of JSON of any size with folding and search. It is in a shadow root, where CodeMirror uses constructed style sheets: the
 * Content-Security-Policy rejects style elements in the page.
 */
export default function CodeView({ label, text, find = null }: CodeViewProps): ReactNode {
  const host = useRef<HTMLDivElement>(null);
  const shown = useRef<EditorView>(null);
  useEffect(() => {
    if (!host.current) return undefined;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const view = new EditorView({ root, parent: root, state: stateOf(label, text) });
    shown.current = view;
    codeHosts.set(host.current, { text, select: (from, to) => select(view, from, to) });
    return () => view.destroy();
  }, [label, text]);
  useEffect(() => {
    const at = find === null ? -1 : text.indexOf(find.text);
    if (find === null || at < 0 || !shown.current) return;
    // A search text may start with a line break and indentation.
    const from = at + (/^\s*/.exec(find.text)?.[0].length ?? 0);
    select(shown.current, from, at + find.text.length);
    shown.current.focus();
  }, [find, text]);
  return <div ref={host} className="overflow-hidden rounded-md border border-line" />;
}

function select(view: EditorView, from: number, to: number): void {
  view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
}

function stateOf(label: string, text: string): EditorState {
  return EditorState.create({
    doc: text,
    extensions: [
      EditorState.readOnly.of(true),
      EditorView.editable.of(false),
      EditorView.contentAttributes.of({
        'aria-label': label,
        tabindex: '0',
        role: 'textbox',
        'aria-readonly': 'true',
        'aria-multiline': 'true',
      }),
      EditorView.lineWrapping,
      drawSelection(),
      highlightSpecialChars({ addSpecialChars: hiddenCharacters }),
      bidiIsolates(),
      bracketMatching(),
      search({ top: true }),
      highlightSelectionMatches(),
      keymap.of([...searchKeymap, ...foldKeymap]),
      syntaxHighlighting(codeColors),
      codeTheme,
      ...(text.length <= maxHighlighted ? [json(), codeFolding(), foldGutter()] : []),
    ],
  });
}
