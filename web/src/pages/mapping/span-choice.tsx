import type { ReactNode } from 'react';
import { Select } from '../../design/field.tsx';
import { visibleText } from '../../format/visible-text.ts';

interface SpanChoiceProps {
  spans: ReadonlyArray<{ name: string; kind: string }>;
  /** Index of the chosen one; `''` for none. */
  value: string;
  onValue(index: string): void;
}

/** A choice of one of several spans. */
export function SpanChoice({ spans, value, onValue }: SpanChoiceProps): ReactNode {
  const options = spans.map(({ name, kind }, index) => ({
    value: String(index),
    label: `${index + 1}. ${visibleText(name).slice(0, 80)} (${kind})`,
  }));
  return (
    <Select
      label="Span"
      value={value}
      options={value === '' ? [{ value: '', label: 'Select a span' }, ...options] : options}
      onValue={onValue}
    />
  );
}
