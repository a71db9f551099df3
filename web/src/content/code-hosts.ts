/** A viewer of code that shows a part of its text at a time, in a shadow root. */
export interface CodeHost {
  text: string;
  /** Selects a part of the text and scrolls to it. */
  select(from: number, to: number): void;
}

/** The viewers by their elements, for a search in what is shown. */
export const codeHosts = new WeakMap<Node, CodeHost>();
