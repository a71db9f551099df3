import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { Input, Select } from '../../design/field.tsx';
import { dayMs } from '../../../../src/contract/durations.ts';

const lives = { never: null, '7': 7, '30': 30, '90': 90, '365': 365 } as const;
type Life = keyof typeof lives;
const options = (Object.keys(lives) as Life[]).map((value) => ({
  value,
  label: value === 'never' ? 'No expiry' : `${value} days`,
}));

interface TokenFormProps {
  busy: boolean;
  error: string | null;
  onSubmit(token: { name: string; expiresAt?: string }, clear: () => void): void;
}

/** The name and the life of a new personal access token. */
export function TokenForm({ busy, error, onSubmit }: TokenFormProps): ReactNode {
  const [name, setName] = useState('');
  const [life, setLife] = useState<Life>('90');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const days = lives[life];
    const expiry = days === null ? {} : { expiresAt: new Date(Date.now() + days * dayMs).toISOString() };
    onSubmit({ name: name.trim(), ...expiry }, () => setName(''));
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <Input
        className="min-w-40 max-w-72 flex-1"
        label="Name"
        placeholder="e.g. CI pipeline"
        required
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={error}
      />
      <Select<Life> label="Expires after" className="w-32" value={life} options={options} onValue={setLife} />
      <Button type="submit" busy={busy} disabled={name.trim() === ''}>
        Create token
      </Button>
    </form>
  );
}
