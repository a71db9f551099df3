import { expect } from 'vitest';

/** Equal, but for the last digits of fractions, and for percentiles to the 1 % of the contract. */
export function expectClose(found: unknown, wanted: unknown, path = ''): void {
  if (typeof found === 'number' && typeof wanted === 'number') {
    const allowed = /\/p\d\d_latency$/.test(path) ? 0.01 : 1e-12;
    if (Math.abs(found - wanted) <= Math.abs(wanted) * allowed + 1e-12) return;
  } else if (typeof found === 'object' && typeof wanted === 'object' && found !== null && wanted !== null) {
    expect(Object.keys(found).toSorted(), path).toEqual(Object.keys(wanted).toSorted());
    for (const [key, value] of Object.entries(wanted))
      expectClose((found as Record<string, unknown>)[key], value, `${path}/${key}`);
    return;
  }
  expect(found, path).toEqual(wanted);
}
