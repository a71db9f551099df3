/** The end of a symmetric axis that shows some values: the next 1, 2 or 5 times a power of ten. */
export function axisEnd(values: ReadonlyArray<number | null>): number {
  const largest = Math.max(...values.map((value) => Math.abs(value ?? 0)));
  if (largest === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(largest));
  const step = [1, 2, 5, 10].find((one) => one * power >= largest * 0.999_999) ?? 10;
  return Number((step * power).toPrecision(1));
}
