import { json } from '@codemirror/lang-json';
import {
  bidiIsolates,
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  syntaxHighlighting,
} from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightSpecialChars, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';

// Beyond this, colours and folding cost more than they help.
const mostHighlighted = 2_000_000;
const hidden = /[\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g;

const colors = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--ink)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--series-3)' },
  { tag: tags.punctuation, color: 'var(--ink-faint)' },
]);

const theme = EditorView.theme({
  '&': { fontSize: '12px', color: 'var(--ink)', backgroundColor: 'var(--surface)', maxHeight: '30rem', borderRadius: '6px' },
  '&.cm-focused': { outline: '2px solid var(--accent)' },
  '.cm-scroller': { fontFamily: 'ui-monospace, "SF Mono", "DejaVu Sans Mono", monospace', lineHeight: '18px', overflow: 'auto' },
  '.cm-gutters': { backgroundColor: 'transparent', border: 'none', color: 'var(--ink-faint)' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--sunken)', border: 'none', color: 'var(--ink-soft)', padding: '0 4px' },
  '.cm-specialChar': { color: 'var(--bad)' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--ink)' },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-soft)', outline: '1px solid var(--warn)' },
});

/**
 * JSON of any size to read, fold and search. It stands in a shadow root, where its styles are constructed sheets: a style element in the
 * page would be refused by the Content-Security-Policy.
 */
export default function CodeView({ label, text }: { label: string; text: string }): ReactNode {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!host.current) return undefined;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const view = new EditorView({ root, parent: root, state: stateOf(label, text) });
    return () => view.destroy();
  }, [label, text]);
  return <div ref={host} className="overflow-hidden rounded-md border border-line" />;
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
      // What a terminal or the bidirectional algorithm would act on is shown as a sign.
      highlightSpecialChars({ addSpecialChars: hidden }),
      bidiIsolates(),
      bracketMatching(),
      search({ top: true }),
      highlightSelectionMatches(),
      keymap.of([...searchKeymap, ...foldKeymap]),
      syntaxHighlighting(colors),
      theme,
      ...(text.length <= mostHighlighted ? [json(), codeFolding(), foldGutter()] : []),
    ],
  });
}
