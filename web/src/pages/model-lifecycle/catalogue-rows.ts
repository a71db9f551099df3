import type { ListedEntry } from '../../api/service.ts';
import { dayMs } from '../../../../src/contract/durations.ts';

/** Whole UTC days from today to a date; negative after it. @param day `YYYY-MM-DD` */
export function daysUntil(day: string, nowMs: number): number {
  return Math.round((Date.parse(`${day}T00:00:00Z`) - Math.floor(nowMs / dayMs) * dayMs) / dayMs);
}

/** The entries that have every word of a search in their model, an alias, their provider or their replacement. */
export function searchCatalogue(entries: readonly ListedEntry[], search: string): readonly ListedEntry[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return entries;
  return entries.filter(({ model, provider, aliases, replacement }) => {
    const text = [model, provider ?? '', replacement ?? '', ...aliases].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
