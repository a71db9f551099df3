import { useMemo } from 'react';
import type { ReactNode } from 'react';
import type { PromptVersion } from '../../api/service.ts';
import { Visible } from '../../design/visible.tsx';
import { placeholdersOf } from './placeholders-of.ts';
import { ReferenceLink } from './reference-link.tsx';

const maxShown = 40;

/** The variables of a prompt, those of included prompts among them, and its references. */
export function Placeholders({ version }: { version: PromptVersion }): ReactNode {
  const { variables, references } = useMemo(() => placeholdersOf(version), [version]);
  if (variables.length === 0 && references.length === 0) return null;
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 border-t border-line px-3 py-2 text-xs">
      {variables.length > 0 && (
        <>
          <dt className="text-ink-faint">Variables</dt>
          <dd className="flex flex-wrap gap-1">
            {variables.slice(0, maxShown).map((name) => (
              <Visible key={name} text={name} className="rounded bg-warn-soft px-1 font-mono text-warn" />
            ))}
            {variables.length > maxShown && <span>+{variables.length - maxShown} more</span>}
          </dd>
        </>
      )}
      {references.length > 0 && (
        <>
          <dt className="text-ink-faint">References</dt>
          <dd className="flex flex-wrap gap-1 font-mono">
            {references.slice(0, maxShown).map((reference) => (
              <ReferenceLink key={reference.text} reference={reference} />
            ))}
            {references.length > maxShown && <span>+{references.length - maxShown} more</span>}
          </dd>
        </>
      )}
    </dl>
  );
}
