import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Bidirectional controls and invisible characters, which the editor renders visibly. */
export const hiddenCharacters = /[\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g;

/** Syntax colours of JSON. */
export const codeColors = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--ink)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
  { tag: tags.punctuation, color: 'var(--ink-faint)' },
]);

/** The CodeMirror theme. */
export const codeTheme = EditorView.theme({
  '&': { fontSize: '12px', color: 'var(--ink)', backgroundColor: 'var(--surface)', maxHeight: '30rem', borderRadius: '6px' },
  '&.cm-focused': { outline: '2px solid var(--accent)' },
  '.cm-scroller': { fontFamily: 'ui-monospace, "SF Mono", "DejaVu Sans Mono", monospace', lineHeight: '18px', overflow: 'auto' },
  '.cm-gutters': { backgroundColor: 'transparent', border: 'none', color: 'var(--ink-faint)' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--sunken)', border: 'none', color: 'var(--ink-soft)', padding: '0 4px' },
  '.cm-specialChar': { color: 'var(--bad)' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--ink)' },
  // CodeMirror's own are dark on light, also in the dark theme.
  '.cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    borderRadius: '4px',
    color: 'var(--ink)',
    '&:active': { backgroundImage: 'none', backgroundColor: 'var(--hover)' },
  },
  '.cm-textfield': { backgroundColor: 'var(--surface)', border: '1px solid var(--line-strong)', color: 'var(--ink)' },
  '.cm-panel.cm-search [name=close]': { color: 'var(--ink)' },
  // Overrides CodeMirror's selection colour, which suits light pages only; same selector for the same specificity.
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'light-dark(#cdd7fb, #37447a)',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-soft)', outline: '1px solid var(--warn)' },
});
