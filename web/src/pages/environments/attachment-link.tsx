import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import type { Attachment } from './attached.ts';

/** Something that names an environment, with a link to its page if it has one. */
export function AttachmentLink({ attachment: { kind, name } }: { attachment: Attachment }): ReactNode {
  const { at } = useProject();
  if (kind !== 'guardrail') {
    return (
      <span>
        <span className="text-ink-faint">{kind}</span> <Visible text={name} />
      </span>
    );
  }
  return (
    <Link {...pages.guardrail(at, name)} className="text-accent hover:underline">
      <Visible text={name} />
    </Link>
  );
}
