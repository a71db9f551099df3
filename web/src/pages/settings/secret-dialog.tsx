import type { ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { Snippet } from '../../design/copy.tsx';
import { Dialog } from '../../design/dialog.tsx';

interface SecretDialogProps {
  title: string;
  /** What it is for and what to do with it. */
  description: ReactNode;
  secret: string | null;
  onClose(): void;
}

/** Shows a secret, this once. */
export function SecretDialog({ title, description, secret, onClose }: SecretDialogProps): ReactNode {
  return (
    <Dialog
      open={secret !== null}
      onOpenChange={onClose}
      title={title}
      description={description}
      footer={
        <Button look="primary" onClick={onClose}>
          I have it
        </Button>
      }
    >
      {secret !== null && <Snippet label="Secret" text={secret} />}
    </Dialog>
  );
}
