import type { StateTable } from './state-table.ts';

/** Most memory of all state tables between two checks, in bytes. */
const maxBytes = 64 * 1024 * 1024;

/** Tables with states by their latest use, and their bytes. */
const kept = new Map<StateTable, number>();
let total = 0;

/** Notes that a table was used. Of all tables the least recently used are cleared where together they take too much memory. */
export function keepTable(table: StateTable): void {
  total += table.bytes - (kept.get(table) ?? 0);
  kept.delete(table);
  kept.set(table, table.bytes);
  for (const [oldest, bytes] of kept) {
    if (total <= maxBytes) return;
    oldest.clear();
    kept.delete(oldest);
    total -= bytes;
  }
}
