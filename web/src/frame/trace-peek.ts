/** A trace in the panel beside a list. */
export interface TracePeekProps {
  traceId: string;
  /** The selected span; by default the panel chooses one, and `''` is the trace itself. */
  span: string | undefined;
  /** A text that is marked in the contents at first. */
  q: string | undefined;
  onSpan(span: string): void;
  onClose(): void;
}
