/** Whether a parsed JSON value nests arrays and objects deeper than `levels`. The recursion stops at that depth. */
export function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((entry) => nestsDeeper(entry, levels - 1));
  for (const key in value) if (nestsDeeper((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}
