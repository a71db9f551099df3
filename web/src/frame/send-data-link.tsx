import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buttonClass } from '../design/button.tsx';
import { pages } from '../paths.ts';
import { useProject } from './project-context.ts';

/** Leads from an empty page to how data is sent. */
export function SendDataLink(): ReactNode {
  const { at } = useProject();
  return (
    <Link {...pages.start(at)} className={buttonClass('primary')}>
      Set up
    </Link>
  );
}
