import { useEffect, useState } from 'react';

/** A selected text of an input or an output on the page. */
export interface SelectedText {
  field: 'input' | 'output';
  text: string;
}

/** Longer selections are not quoted whole. */
const maxQuoted = 2_000;

function selectedText(): SelectedText | null {
  const selection = document.getSelection();
  const text = selection?.toString() ?? '';
  if (!selection || text.trim() === '') return null;
  const { anchorNode } = selection;
  const element = anchorNode instanceof Element ? anchorNode : anchorNode?.parentElement;
  const label = element?.closest('main [aria-label=Output], main [aria-label=Input]')?.getAttribute('aria-label');
  if (label === undefined || label === null) return null;
  return { field: label === 'Output' ? 'output' : 'input', text: text.slice(0, maxQuoted) };
}

/** What the viewer has selected in an input or an output; null without a selection there. */
export function useSelectedText(): SelectedText | null {
  const [selected, setSelected] = useState<SelectedText | null>(null);
  useEffect(() => {
    const read = () =>
      setSelected((before) => {
        const now = selectedText();
        return now?.text === before?.text && now?.field === before?.field ? before : now;
      });
    document.addEventListener('selectionchange', read);
    return () => document.removeEventListener('selectionchange', read);
  }, []);
  return selected;
}
