import type { Reader } from './convention.ts';

/** An HTTP status of a failure, after what error classes and clients put in front of it: `RateLimitError: 429 You exceeded ...`. */
const statusAtStart = /^(?:[\w.]*Error: |HTTP |Error code: )*([45]\d\d)\b/;

/** Reads the HTTP status, 400 to 599, at the start of an error message: docs/semantics.md, "Span status and error codes". */
export const leadingStatus: Reader<string> = (value) => (typeof value === 'string' ? statusAtStart.exec(value)?.[1] : undefined);
