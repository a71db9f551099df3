import { Check, Copy as CopyIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';

/** The Clipboard API requires a secure context; over plain HTTP, copy a selection instead. */
async function writeToClipboard(text: string): Promise<void> {
  if (globalThis.isSecureContext) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

/** A button that copies a text and confirms it for 1.5 seconds. */
export function CopyButton({ text, label = 'Copy' }: { text: string | (() => string); label?: string }): ReactNode {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    await writeToClipboard(typeof text === 'string' ? text : text());
    setCopied(true);
  };
  return (
    <IconButton label={copied ? 'Copied' : label} onClick={() => void copy()}>
      {copied ? <Check className="text-good" aria-hidden /> : <CopyIcon aria-hidden />}
    </IconButton>
  );
}

/** A code snippet with a copy button. `shown` replaces the text on the screen. */
export function Snippet({ label, text, shown = text }: { label: string; text: string; shown?: string }): ReactNode {
  return (
    <div className="relative min-w-0 rounded-md border border-line bg-sunken">
      <pre
        className="scroll-thin overflow-auto py-2 pr-11 pl-3 font-mono [overflow-wrap:anywhere] whitespace-pre-wrap text-xs leading-5"
        tabIndex={0}
        aria-label={label}
      >
        {shown}
      </pre>
      <div className="absolute top-0.5 right-0.5">
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
    </div>
  );
}
