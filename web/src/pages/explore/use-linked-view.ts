import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { viewQuery } from '../../api/views.ts';
import { useToast } from '../../design/toast.tsx';
import { useProject } from '../../frame/project-context.ts';
import { subjectOf } from './search.ts';
import type { Explore } from './use-explore.ts';
import { isChanged, searchOfView } from './view-state.ts';

/**
 * A link may name a saved view alone: the page becomes as the view has it.
 *
 * @returns whether the view of a link is still being read: there is nothing to list yet
 */
export function useLinkedView({ search, change }: Explore): boolean {
  const { projectId } = useProject();
  const navigate = useNavigate();
  const say = useToast();
  const { view: viewId, filter, columns, sort, range, from, to } = search;
  // The view that was opened: what the viewer takes away from it later stays away.
  const [opened, setOpened] = useState<string | null>(null);
  const isAlone = viewId !== undefined && [filter, columns, sort, range, from, to].every((one) => one === undefined);
  const isOpening = isAlone && opened !== viewId;
  const { data: view, isError } = useQuery({ ...viewQuery(projectId, viewId ?? ''), enabled: isOpening });
  if (viewId !== undefined && !isAlone && opened !== viewId) setOpened(viewId);
  const isAsSaved = view !== undefined && view.on === subjectOf(search) && !isChanged(search, view);
  if (isOpening && isAsSaved) setOpened(viewId);
  useEffect(() => {
    if (!isOpening || viewId === undefined) return;
    if (isError) {
      say('This view does not exist, or it is private to someone else.', 'bad');
      change({ view: undefined });
    } else if (view && !isAsSaved) {
      const next = { ...searchOfView(view, Date.now()) };
      void navigate({ to: '.', search: (before: object) => ({ ...before, on: undefined, ...next }), replace: true }).then(() =>
        setOpened(viewId),
      );
    }
  }, [isOpening, viewId, view, isError, isAsSaved, change, navigate, say]);
  return isOpening;
}
