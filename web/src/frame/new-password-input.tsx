import type { ReactNode } from 'react';
import { Input } from '../design/field.tsx';

interface NewPasswordInputProps {
  value: string;
  onValue(value: string): void;
  error: string | null;
}

/** The field for a password that its person chooses. */
export function NewPasswordInput({ value, onValue, error }: NewPasswordInputProps): ReactNode {
  return (
    <Input
      label="New password"
      type="password"
      autoComplete="new-password"
      required
      maxLength={1024}
      hint={error === null ? 'At least 8 characters.' : undefined}
      value={value}
      onChange={(event) => onValue(event.target.value)}
      error={error}
    />
  );
}
