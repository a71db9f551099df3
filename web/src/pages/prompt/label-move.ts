/** The label used for requests without a label or version. */
export const defaultLabel = 'production';

export interface LabelMove {
  label: string;
  /** The current version of the label; null for none. */
  from: number | null;
  to: number;
  /** The newest version of the prompt. */
  newest: number;
}

/** The effects of moving a label, one sentence each. */
export function consequences({ label, from, to, newest }: LabelMove): string[] {
  const previous = from === null ? '' : ` instead of version ${from}`;
  const sentences = [`Requests with the label ${label} get version ${to}${previous}.`];
  if (label === defaultLabel) {
    const before = from ?? newest;
    sentences.push(
      before === to
        ? `Requests without a label still get version ${to}.`
        : `So do requests without a label (version ${before} until now).`,
    );
  }
  sentences.push(
    label === defaultLabel
      ? 'Prompts that reference this one with this label, or without label and version, use it immediately.'
      : `Prompts that reference this one with @${label} use it immediately.`,
  );
  if (from !== null && to < from) sentences.push(`Version ${to} is older than version ${from}.`);
  return sentences;
}
