/** US dollars: two significant digits below a cent, cents above. */
export function dollars(cost: number): string {
  if (cost === 0) return '$0';
  const rounded = Number(cost.toPrecision(2));
  return rounded < 0.01 ? `$${rounded.toFixed(Math.min(10, 1 - Math.floor(Math.log10(rounded))))}` : `$${cost.toFixed(2)}`;
}

/** A time in milliseconds; null: it has not ended. */
export function duration(ms: number | null): string {
  if (ms === null) return 'running';
  if (Math.round(ms) < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A count with separators. */
export function counted(count: number): string {
  return count.toLocaleString('en-US');
}

/** A count of things, with an `s` for more than one: `1 span`, `2 spans`. */
export function numberOf(count: number, thing: string): string {
  return `${counted(count)} ${thing}${count === 1 ? '' : 's'}`;
}

/** A timestamp without milliseconds, UTC. */
export function moment(timestamp: string): string {
  return timestamp.slice(0, 19).replace('T', ' ');
}
