import { history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bidiIsolates, bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { search, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { Decoration, EditorView, highlightSpecialChars, keymap, MatchDecorator, ViewPlugin } from '@codemirror/view';
import type { DecorationSet, ViewUpdate } from '@codemirror/view';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { ReactNode } from 'react';
import { codeColors, codeTheme, hiddenCharacters } from './code-theme.ts';
import { editingKeys } from './editing-keys.ts';

export interface CodeEditorProps {
  label: string;
  /** Initial text. Later changes of this property are ignored: use another key. */
  initial: string;
  onText(text: string): void;
  language: 'prompt' | 'json';
  invalid?: boolean;
  /** Starts with a larger height. */
  tall?: boolean;
}

const variable = Decoration.mark({ class: 'cm-variable' });
const reference = Decoration.mark({ class: 'cm-reference' });

// Same syntax as promptParts, for references on one line.
const decorator = new MatchDecorator({
  regexp: /\{\{>[^\n]{0,400}?\}\}|\{\{\s{0,20}[^\s{}>][^{}\n]{0,99}?\s{0,20}\}\}/g,
  decoration: ([text]) => (text.startsWith('{{>') ? reference : variable),
});

const placeholders = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = decorator.createDeco(view);
    }
    update(update: ViewUpdate) {
      this.decorations = decorator.updateDeco(update, this.decorations);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

const editorTheme = EditorView.theme({
  '.cm-content': { minHeight: '4.5rem', padding: '8px 4px', caretColor: 'var(--ink)' },
  '.cm-variable': { backgroundColor: 'var(--warn-soft)', color: 'var(--warn)', borderRadius: '3px' },
  '.cm-reference': { backgroundColor: 'var(--accent-soft)', color: 'var(--accent)', borderRadius: '3px' },
});

const tallTheme = EditorView.theme({ '.cm-content': { minHeight: '12rem' } });

/** An editor of prompts with highlighted variables and references, or of JSON. In a shadow root for the same reason as CodeView. */
export default function CodeEditor({
  label,
  initial,
  onText,
  language,
  invalid = false,
  tall = false,
}: CodeEditorProps): ReactNode {
  const host = useRef<HTMLDivElement>(null);
  const textChanged = useEffectEvent(onText);
  const start = useRef(initial);
  useEffect(() => {
    if (!host.current) return undefined;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const state = EditorState.create({
      doc: start.current,
      extensions: extensionsOf({ label, language, tall }, (text) => textChanged(text)),
    });
    const view = new EditorView({ root, parent: root, state });
    return () => view.destroy();
  }, [label, language, tall]);
  return (
    <div
      ref={host}
      className={`overflow-hidden rounded-md border bg-surface ${invalid ? 'border-bad' : 'border-line-strong/60'}`}
    />
  );
}

function extensionsOf(
  { label, language, tall }: Pick<CodeEditorProps, 'label' | 'language' | 'tall'>,
  onText: (text: string) => void,
): Extension {
  return [
    // Editable content is focusable by itself; the attribute tells tools that the scroller around it can be reached.
    EditorView.contentAttributes.of({
      'aria-label': label,
      spellcheck: language === 'prompt' ? 'true' : 'false',
      tabindex: '0',
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onText(update.state.doc.toString());
    }),
    EditorView.lineWrapping,
    highlightSpecialChars({ addSpecialChars: hiddenCharacters }),
    history(),
    search({ top: true }),
    editingKeys,
    keymap.of([...historyKeymap, ...searchKeymap]),
    language === 'json' ? [json(), bracketMatching(), syntaxHighlighting(codeColors)] : [placeholders, bidiIsolates()],
    codeTheme,
    // Earlier themes take precedence.
    tall ? tallTheme : [],
    editorTheme,
  ];
}
