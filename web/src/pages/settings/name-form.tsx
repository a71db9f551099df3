import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { Input } from '../../design/field.tsx';

interface NameFormProps {
  label: string;
  action: string;
  initial?: string;
  placeholder?: string;
  busy: boolean;
  error: string | null;
  onSubmit(name: string, clear: () => void): void;
}

/** A form with one name field. */
export function NameForm({ label, action, initial = '', placeholder, busy, error, onSubmit }: NameFormProps): ReactNode {
  const [name, setName] = useState(initial);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(name.trim(), () => setName(initial));
  };
  return (
    <form onSubmit={submit} className="flex items-end gap-2">
      <Input
        className="max-w-72 flex-1"
        label={label}
        required
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={error}
        {...(placeholder === undefined ? {} : { placeholder })}
      />
      <Button type="submit" busy={busy} disabled={name.trim() === '' || name.trim() === initial}>
        {action}
      </Button>
    </form>
  );
}
