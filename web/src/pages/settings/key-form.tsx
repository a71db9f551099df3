import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { ApiKeyBody } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { Input } from '../../design/field.tsx';
import { isComplete, KeyFields, ScopeList } from './key-fields.tsx';
import type { KeyLimits } from './key-fields.tsx';
import { expiryOf } from './key-limits.ts';

interface KeyFormProps {
  busy: boolean;
  error: string | null;
  onSubmit(key: ApiKeyBody, clear: () => void): void;
}

/** The name, the access and the expiry of a new API key. */
export function KeyForm({ busy, error, onSubmit }: KeyFormProps): ReactNode {
  const [name, setName] = useState('');
  const [limits, setLimits] = useState<KeyLimits>({ scopes: null, life: 'never' });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const scopes = limits.scopes && [...limits.scopes];
    onSubmit({ name: name.trim(), scopes, ...expiryOf(limits.life, Date.now()) }, () => setName(''));
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end gap-2">
        <Input
          className="min-w-40 max-w-72 flex-1"
          label="Name"
          placeholder="e.g. checkout service"
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={error}
        />
        <KeyFields limits={limits} onLimits={setLimits} />
        <Button type="submit" busy={busy} disabled={!isComplete(name, limits)}>
          Create API key
        </Button>
      </div>
      <ScopeList limits={limits} onLimits={setLimits} />
    </form>
  );
}
