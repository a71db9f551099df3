/** The label used for requests without a label or version. */
export const defaultLabel = 'production';

export interface LabelMove {
  label: string;
  /** The current version of the label; null for none. */
  from: number | null;
  to: number;
  /** The version that `latest` is on. */
  latest: number;
  /** Whether `to` is a fix proposal. */
  proposal: boolean;
}

/** The effects of moving a label, one sentence each. */
export function consequences({ label, from, to, latest, proposal }: LabelMove): string[] {
  const previous = from === null ? '' : ` instead of version ${from}`;
  const sentences = [`Requests with the label ${label} get version ${to}${previous}.`];
  if (label === defaultLabel) {
    const before = from ?? latest;
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
  if (proposal)
    sentences.push(
      to > latest
        ? `Version ${to} is no longer a proposal, and the label latest moves to it from version ${latest}.`
        : `Version ${to} is no longer a proposal.`,
    );
  if (from !== null && to < from) sentences.push(`Version ${to} is older than version ${from}.`);
  return sentences;
}
