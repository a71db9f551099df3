import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { usePull } from '../../api/policies.ts';
import { Button } from '../../design/button.tsx';
import { useToast } from '../../design/toast.tsx';
import { useProject } from '../../frame/project-context.ts';
import { downloadOf, save } from './download.ts';

/** Downloads the current policies as files, as `spanwise policy pull` writes them. */
export function DownloadButton(): ReactNode {
  const { at, projectId } = useProject();
  const pull = usePull(projectId);
  const say = useToast();
  const download = () =>
    pull.mutate(undefined, {
      onSuccess: (pulled) =>
        void downloadOf(pulled, at.project).then(save, () => say('Download failed. Reload the page and try again.', 'bad')),
      onError: (error) => say(error.message, 'bad'),
    });
  return (
    <Button busy={pull.isPending} onClick={download}>
      <Download aria-hidden />
      Download files
    </Button>
  );
}
