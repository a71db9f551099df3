import type { AlertUnit } from './alert-type.ts';

const numbers = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });
const plain = (value: number) => numbers.format(value);

const formats: Readonly<Record<AlertUnit, (value: number) => string>> = {
  share: (value) => `${numbers.format(value * 100)}%`,
  milliseconds: (value) => `${numbers.format(value)} ms`,
  // Dollars have two decimals where they would have one.
  usd: (value) => `$${numbers.format(value).replace(/\.\d$/, '$&0')}`,
  score: plain,
  count: plain,
  seconds: plain,
};

/** A figure of an alert rule as notifications write it, with four significant digits. */
export function figureText(unit: AlertUnit, value: number): string {
  return formats[unit](value);
}
