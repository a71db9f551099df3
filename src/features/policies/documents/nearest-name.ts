/** Of the known names the one with the fewest edits to a name; of several the first. */
export function nearestName(name: string, known: readonly string[]): string {
  const given = name.slice(0, 100).toLowerCase();
  let nearest = { name: known[0] ?? '', edits: Infinity };
  for (const candidate of known) {
    const edits = editsBetween(given, candidate.toLowerCase());
    if (edits < nearest.edits) nearest = { name: candidate, edits };
  }
  return nearest.name;
}

/** Levenshtein distance. */
function editsBetween(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let at = 0; at < left.length; at += 1) {
    const next = [at + 1];
    for (let other = 0; other < right.length; other += 1) {
      const replaced = (row[other] ?? 0) + (left[at] === right[other] ? 0 : 1);
      next.push(Math.min(replaced, (row[other + 1] ?? 0) + 1, (next[other] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
