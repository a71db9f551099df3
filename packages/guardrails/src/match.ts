/** A match; offsets are in UTF-16 units of the text as sent, the end is exclusive. */
export interface Match {
  start: number;
  end: number;
  label: string;
}
