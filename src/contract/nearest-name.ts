import { distance } from 'fastest-levenshtein';

/** Of the known names the one with the fewest edits to a name; of several the first. */
export function nearestName(name: string, known: readonly string[]): string {
  return nearestOf(name, known).name;
}

/** The nearest name where no more than a third of the letters differ, at least two; undefined where none is that near. */
export function nearName(name: string, known: readonly string[]): string | undefined {
  const nearest = nearestOf(name, known);
  return nearest.edits <= Math.max(2, Math.floor(name.length / 3)) ? nearest.name : undefined;
}

function nearestOf(name: string, known: readonly string[]): { name: string; edits: number } {
  const given = name.slice(0, 100).toLowerCase();
  let nearest = { name: known[0] ?? '', edits: Infinity };
  for (const candidate of known) {
    const edits = distance(given, candidate.toLowerCase());
    if (edits < nearest.edits) nearest = { name: candidate, edits };
  }
  return nearest;
}
