/** US dollars: four significant digits below a cent, cents above. */
export function dollars(cost: number): string {
  if (cost === 0) return '$0';
  return cost < 0.01
    ? `$${Number(cost.toPrecision(2)).toFixed(Math.min(10, 1 - Math.floor(Math.log10(cost))))}`
    : `$${cost.toFixed(2)}`;
}

/** A time in milliseconds; null: it has not ended. */
export function duration(ms: number | null): string {
  if (ms === null) return 'running';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1_000)} s`;
}

/** A count with separators. */
export function counted(count: number): string {
  return count.toLocaleString('en-US');
}

/** A timestamp without milliseconds, UTC. */
export function moment(timestamp: string): string {
  return timestamp.slice(0, 19).replace('T', ' ');
}
