import { useId, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { useKeyActions } from '../../api/keys.ts';
import type { ApiKey } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Input } from '../../design/field.tsx';
import { useToast } from '../../design/toast.tsx';
import { useProject } from '../../frame/project-context.ts';
import { isComplete, KeyFields, ScopeList } from './key-fields.tsx';
import type { KeyLimits } from './key-fields.tsx';
import { expiryOf } from './key-limits.ts';

/** Changes the name, the access and the expiry of an API key. */
export function KeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose(): void }): ReactNode {
  const { projectId } = useProject();
  const { change } = useKeyActions(projectId);
  const say = useToast();
  const form = useId();
  const expires = apiKey.expiresAt !== null;
  const [name, setName] = useState(apiKey.name);
  const [limits, setLimits] = useState<KeyLimits>({ scopes: apiKey.scopes, life: expires ? 'kept' : 'never' });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const scopes = limits.scopes && [...limits.scopes];
    change.mutate(
      { id: apiKey.id, name: name.trim(), scopes, ...expiryOf(limits.life, Date.now()) },
      {
        onSuccess: () => {
          onClose();
          say('API key saved');
        },
      },
    );
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Edit API key"
      description="Changes apply within 3 seconds. The secret stays the same."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form={form} busy={change.isPending} disabled={!isComplete(name, limits)}>
            Save
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-3">
        <Input
          label="Name"
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={change.error?.message ?? null}
        />
        <div className="flex flex-wrap gap-2">
          <KeyFields limits={limits} onLimits={setLimits} expires={expires} />
        </div>
        <ScopeList limits={limits} onLimits={setLimits} />
      </form>
    </Dialog>
  );
}
