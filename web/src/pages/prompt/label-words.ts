/** The label that applications get that name neither label nor version. */
export const defaultLabel = 'production';

export interface LabelMove {
  label: string;
  /** The version that it sits on now; null for none. */
  from: number | null;
  to: number;
  /** The newest version of the prompt. */
  newest: number;
}

/** What a move of a label does, in a few words: `production moves from 3 to 5`. */
export function moveInWords({ label, from, to }: LabelMove): string {
  return from === null ? `${label} is put on version ${to}` : `${label} moves from ${from} to ${to}`;
}

/** What changes for whom when a label moves, sentence by sentence. */
export function consequences({ label, from, to, newest }: LabelMove): string[] {
  const instead = from === null ? '' : ` instead of version ${from}`;
  const sentences = [`Whoever fetches this prompt by the label ${label} gets version ${to}${instead} from the next fetch on.`];
  if (label === defaultLabel) {
    const before = from ?? newest;
    sentences.push(
      before === to
        ? `So does who names no label: that was version ${to} already, since it is the newest.`
        : `So does who names no label, who got version ${before} until now.`,
    );
  }
  sentences.push(
    label === defaultLabel
      ? 'Prompts that refer to this one without a version, or with this label, read it at once.'
      : `Prompts that refer to this one with @${label} read it at once.`,
  );
  if (from !== null && to < from) sentences.push('This goes back to an older version.');
  return sentences;
}
