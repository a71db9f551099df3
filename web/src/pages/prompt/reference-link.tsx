import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { PromptReference } from '../../content/prompt-parts.ts';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';

/** A reference as a link to the referenced version. */
export function ReferenceLink({ reference }: { reference: PromptReference }): ReactNode {
  const { at } = useProject();
  const { name, version, label, text } = reference;
  const shown = <bdi>{visibleText(text)}</bdi>;
  if (name === '') return shown;
  return (
    <Link
      {...pages.prompt(at, name)}
      search={{ version: version ?? undefined, label: label ?? undefined }}
      title="Open the referenced prompt"
      className="rounded bg-accent-soft text-accent underline decoration-dotted underline-offset-2 hover:decoration-solid"
    >
      {shown}
    </Link>
  );
}

/** Renders a reference in PromptView. */
export function referenceLink(reference: PromptReference): ReactNode {
  return <ReferenceLink reference={reference} />;
}
