import type { ReactNode } from 'react';
import type { AlertRule } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { Snippet } from '../../design/copy.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Visible } from '../../design/visible.tsx';

/** A new secret of a webhook. */
export interface NewSecret {
  url: string;
  secret: string;
}

/** The secrets that a response has, which is the only time that they are shown. */
export function newSecrets({ channels }: Pick<AlertRule, 'channels'>): NewSecret[] {
  return channels.flatMap((channel) =>
    channel.type === 'webhook' && channel.secret !== undefined ? [{ url: channel.url, secret: channel.secret }] : [],
  );
}

/** Shows new secrets of webhooks once. */
export function SecretsDialog({ secrets, onClose }: { secrets: readonly NewSecret[]; onClose(): void }): ReactNode {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={secrets.length === 1 ? 'Webhook secret' : 'Webhook secrets'}
      description="Copy it now: it is not shown again. Receivers verify the signature of each request with it (Standard Webhooks)."
      footer={
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        {secrets.map(({ url, secret }, index) => (
          <div key={`${index} ${url}`} className="flex flex-col gap-1">
            <Visible text={url} className="text-xs [overflow-wrap:anywhere] text-ink-soft" />
            <Snippet label={secrets.length === 1 ? 'Secret' : `Secret ${index + 1}`} text={secret} />
          </div>
        ))}
      </div>
    </Dialog>
  );
}
