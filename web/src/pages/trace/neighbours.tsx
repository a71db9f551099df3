import { useNavigate } from '@tanstack/react-router';
import { ChevronDown, ChevronUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { useNeighbours } from '../../api/trace-neighbours.ts';
import type { WholeOutline } from '../../api/parts.ts';
import { IconButton } from '../../design/button.tsx';
import { usePageKeys } from '../../design/use-page-keys.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';

/** Opens the previous and the next trace of the list, also with `k` and `j`. */
export function TraceNeighbours({ trace }: { trace: WholeOutline['trace'] }): ReactNode {
  const { at, projectId } = useProject();
  const navigate = useNavigate();
  const { previous, next } = useNeighbours(projectId, trace);
  const open = (traceId: string | null | undefined) => () => {
    // The pages between are not steps back: Back leads to the list.
    if (traceId != null)
      void navigate({ ...pages.trace(at, traceId), search: ({ q, comments }) => ({ q, comments }), replace: true });
  };
  usePageKeys({ k: open(previous), j: open(next) });
  return (
    <>
      <IconButton label="Previous trace (K)" disabled={previous == null} onClick={open(previous)}>
        <ChevronUp aria-hidden />
      </IconButton>
      <IconButton label="Next trace (J)" disabled={next == null} onClick={open(next)}>
        <ChevronDown aria-hidden />
      </IconButton>
    </>
  );
}
