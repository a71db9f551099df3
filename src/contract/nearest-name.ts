import { distance } from 'fastest-levenshtein';

/** Of the known names the one with the fewest edits to a name; of several the first. */
export function nearestName(name: string, known: readonly string[]): string {
  const given = name.slice(0, 100).toLowerCase();
  let nearest = { name: known[0] ?? '', edits: Infinity };
  for (const candidate of known) {
    const edits = distance(given, candidate.toLowerCase());
    if (edits < nearest.edits) nearest = { name: candidate, edits };
  }
  return nearest.name;
}
