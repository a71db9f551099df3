/** A JSON number as its digits without zeros at either end, and the power of ten behind them: the same text for the same number, however it is written. */
export function decimalOf(source: string): string {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e');
  const negative = mantissa.startsWith('-');
  const [whole = '', fraction = ''] = mantissa.slice(negative ? 1 : 0).split('.');
  const digits = whole + fraction;
  let first = 0;
  while (digits[first] === '0') first += 1;
  let end = digits.length;
  while (end > first && digits[end - 1] === '0') end -= 1;
  if (end === first) return '0';
  const power = Number(exponent) - fraction.length + (digits.length - end);
  return `${negative ? '-' : ''}${digits.slice(first, end)}e${power}`;
}
