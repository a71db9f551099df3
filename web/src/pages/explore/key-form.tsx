import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { Input } from '../../design/field.tsx';

interface KeyFormProps {
  label: string;
  /** What is searched, or the key that is added. */
  text: string;
  onText(text: string): void;
  /** The key that a text names; null for one that cannot be added. */
  read(text: string): string | null;
  onAdd(key: string): void;
}

/** Searches names by what is written, and adds it where it is a key of metadata or attributes. */
export function KeyForm({ label, text, onText, read, onAdd }: KeyFormProps): ReactNode {
  const [error, setError] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const key = read(text);
    setError(key === null ? 'Write a key such as metadata.customer.tier or attribute.http.route.' : null);
    if (key === null) return;
    onAdd(key);
    onText('');
  };
  return (
    <form onSubmit={submit} className="flex items-end gap-2">
      <Input
        label={label}
        placeholder="metadata.customer.tier"
        value={text}
        error={error}
        spellCheck={false}
        onChange={(event) => onText(event.target.value)}
        className="flex-1"
      />
      <Button type="submit" disabled={text.trim() === ''}>
        Add key
      </Button>
    </form>
  );
}

/** Whether one of the names of a field or column has a searched text in it. Pure function. */
export function isFound(searched: string, ...names: readonly string[]): boolean {
  const text = searched.trim().toLowerCase();
  return names.some((name) => name.toLowerCase().includes(text));
}
