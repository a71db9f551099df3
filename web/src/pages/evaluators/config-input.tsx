import type { ReactNode } from 'react';
import { Input } from '../../design/field.tsx';
import type { FieldsProps, FormValues } from './form-values.ts';

type TextField = { [Name in keyof FormValues]: FormValues[Name] extends string ? Name : never }[keyof FormValues];

/** A text field of the configuration. */
export function ConfigInput({
  fields: { form, onChange, errorAt, disabled },
  name,
  ...rest
}: {
  fields: FieldsProps;
  name: TextField;
  label: string;
  hint?: string;
  inputMode?: 'decimal';
  placeholder?: string;
  path?: string;
}): ReactNode {
  const { path = `/config/${name}`, ...shown } = rest;
  return (
    <Input
      {...shown}
      value={form[name]}
      disabled={disabled}
      onChange={(event) => onChange({ [name]: event.target.value })}
      error={errorAt(path)}
    />
  );
}
