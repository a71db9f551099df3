import { expect } from 'vitest';

/** Expects equal values: numbers to 12 digits, percentiles to 0.4 % (docs/semantics.md, "Percentiles"). */
export function expectClose(found: unknown, wanted: unknown, path = ''): void {
  if (typeof found === 'number' && typeof wanted === 'number') {
    const allowed = /\/p\d\d_?latency$/i.test(path) ? 0.004 : 1e-12;
    if (Math.abs(found - wanted) <= Math.abs(wanted) * allowed + 1e-12) return;
  } else if (typeof found === 'object' && typeof wanted === 'object' && found !== null && wanted !== null) {
    expect(Object.keys(found).toSorted(), path).toEqual(Object.keys(wanted).toSorted());
    for (const [key, value] of Object.entries(wanted))
      expectClose((found as Record<string, unknown>)[key], value, `${path}/${key}`);
    return;
  }
  expect(found, path).toEqual(wanted);
}
