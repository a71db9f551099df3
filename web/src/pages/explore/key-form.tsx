import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { Input } from '../../design/field.tsx';

interface KeyFormProps {
  /** The key that a text names; null for one that cannot be added. */
  read(text: string): string | null;
  onAdd(key: string): void;
}

/** Adds a key of metadata or attributes that is written. */
export function KeyForm({ read, onAdd }: KeyFormProps): ReactNode {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const key = read(text);
    setError(key === null ? 'Write a key such as metadata.customer.tier or attribute.http.route.' : null);
    if (key === null) return;
    onAdd(key);
    setText('');
  };
  return (
    <form onSubmit={submit} className="flex items-end gap-2">
      <Input
        label="Key"
        placeholder="metadata.customer.tier"
        value={text}
        error={error}
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        className="flex-1"
      />
      <Button type="submit" disabled={text.trim() === ''}>
        Add
      </Button>
    </form>
  );
}
