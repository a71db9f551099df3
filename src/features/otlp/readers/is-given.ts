/** What tools that hide personal data write in place of a value: `[Scrubbed due to 'session']`, `[REDACTED]`, `<redacted>`, `***`. */
const hidden =
  /^(?:\[scrubbed due to [^\]]{0,200}\]|[[<({_*]{0,4}(?:redacted|filtered|masked|scrubbed|hidden|removed)(?:[ :-][^\])>}_*]{0,200})?[\])>}_*]{1,4}|\*{2,}|x{4,})$/i;

/** Whether a value is one, and not the mark of a value that was hidden (docs/semantics.md, "OTLP attributes"). */
export function isGiven(value: string): boolean {
  return !hidden.test(value.trim());
}
