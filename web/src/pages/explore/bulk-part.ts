import type { SelectionAction } from '../../api/jobs.ts';

/** The part of a dialog that differs: it tells the action, or null while it is not complete. */
export interface PartProps {
  /** What is selected, in words: "3 traces". */
  counted: string;
  noun: string;
  onAction(action: Ready | null): void;
}

/** The action, or how it is found once the form is sent. */
export type Ready = SelectionAction | (() => Promise<SelectionAction>);
