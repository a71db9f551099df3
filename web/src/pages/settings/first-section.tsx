import { Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';

/** Leads to the first section that the viewer's role may read. */
export default function FirstSection(): ReactNode {
  const { at, can } = useProject();
  return <Navigate {...pages.settings(at, can('keys:manage') ? 'keys' : 'clients')} replace />;
}
