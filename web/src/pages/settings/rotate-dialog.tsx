import { useState } from 'react';
import type { ReactNode } from 'react';
import { useKeyActions } from '../../api/keys.ts';
import type { ApiKey } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Select } from '../../design/field.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';

type Grace = '0' | '3600' | '86400' | '604800' | '2592000';

const graces: ReadonlyArray<{ value: Grace; label: string }> = [
  { value: '0', label: 'Expires immediately' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '24 hours' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
];

interface RotateDialogProps {
  apiKey: ApiKey;
  onClose(): void;
  onSecret(secret: string): void;
}

/** Rotates an API key. The old secret stays valid for a grace period. */
export function RotateDialog({ apiKey, onClose, onSecret }: RotateDialogProps): ReactNode {
  const { projectId } = useProject();
  const { rotate } = useKeyActions(projectId);
  const [grace, setGrace] = useState<Grace>('86400');
  const confirm = () =>
    rotate.mutate(
      { id: apiKey.id, graceSeconds: Number(grace) },
      {
        onSuccess: ({ key }) => {
          onClose();
          onSecret(key);
        },
      },
    );
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Rotate API key"
      description={
        <>
          Creates a new secret for <Visible text={apiKey.name} className="font-medium" />. The old secret stays valid for a grace
          period.
        </>
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={rotate.isPending} onClick={confirm}>
            Rotate
          </Button>
        </>
      }
    >
      <Select<Grace> label="Grace period" value={grace} options={graces} onValue={setGrace} error={rotate.error?.message} />
    </Dialog>
  );
}
