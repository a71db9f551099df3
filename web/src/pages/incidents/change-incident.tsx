import { useState } from 'react';
import type { ReactNode } from 'react';
import { useIncidentActions } from '../../api/incidents.ts';
import type { Incident } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { TextArea } from '../../design/field.tsx';
import { useToast } from '../../design/toast.tsx';
import { useProject } from '../../frame/project-context.ts';
import { maxNoteCharacters } from '../../../../src/contract/limits.ts';

type NextStatus = 'acknowledged' | 'resolved';

const words = {
  acknowledged: {
    action: 'Acknowledge',
    title: 'Acknowledge incident?',
    description: 'Shows the others that you are on it. Repeated notifications stop.',
  },
  resolved: {
    action: 'Resolve',
    title: 'Resolve incident?',
    description: 'The rule opens another incident only after its condition was false once.',
  },
} as const;

/** Acknowledges or resolves an incident, with a note. */
export function ChangeIncident({ incident }: { incident: Incident }): ReactNode {
  const { can } = useProject();
  const [next, setNext] = useState<NextStatus | null>(null);
  if (!can('incidents:manage') || incident.status === 'resolved') return null;
  return (
    <>
      {incident.status === 'open' && <Button onClick={() => setNext('acknowledged')}>Acknowledge</Button>}
      <Button onClick={() => setNext('resolved')}>Resolve</Button>
      {next !== null && <NoteDialog incidentId={incident.id} next={next} onClose={() => setNext(null)} />}
    </>
  );
}

function NoteDialog({ incidentId, next, onClose }: { incidentId: string; next: NextStatus; onClose(): void }): ReactNode {
  const { projectId } = useProject();
  const { setStatus } = useIncidentActions(projectId, incidentId);
  const [note, setNote] = useState('');
  const say = useToast();
  const { action, title, description } = words[next];
  const confirm = () =>
    setStatus.mutate(
      { status: next, ...(note.trim() === '' ? {} : { note: note.trim() }) },
      {
        onSuccess: () => {
          onClose();
          say(`Incident ${next}`);
        },
      },
    );
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={setStatus.isPending} onClick={confirm}>
            {action}
          </Button>
        </>
      }
    >
      <TextArea
        label="Note (optional)"
        hint="Shown in the history and sent to the channels."
        maxLength={maxNoteCharacters}
        value={note}
        onChange={(event) => setNote(event.target.value)}
        error={setStatus.error?.message ?? null}
      />
    </Dialog>
  );
}
