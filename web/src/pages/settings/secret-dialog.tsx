import type { ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { Snippet } from '../../design/copy.tsx';
import { Dialog } from '../../design/dialog.tsx';

interface SecretDialogProps {
  title: string;
  /** Purpose and handling of the secret. */
  description: ReactNode;
  /** What it is; default: a secret. */
  label?: string;
  secret: string | null;
  onClose(): void;
}

/** Shows a new secret once. */
export function SecretDialog({ title, description, label = 'Secret', secret, onClose }: SecretDialogProps): ReactNode {
  return (
    <Dialog
      open={secret !== null}
      onOpenChange={onClose}
      title={title}
      description={description}
      footer={
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {secret !== null && <Snippet label={label} text={secret} />}
    </Dialog>
  );
}
