import type { TraceSpan } from '../api/service.ts';

/** Codes that carry no information beside a message. */
const vagueCodes: ReadonlySet<string> = new Set(['unknown', 'error']);

type SpanError = Pick<TraceSpan, 'errorCode' | 'errorMessage'>;

/** The error code of a span; null if it is missing, or vague beside a message. */
export function errorCodeOf({ errorCode, errorMessage }: SpanError): string | null {
  return errorMessage !== null && vagueCodes.has(errorCode?.toLowerCase() ?? '') ? null : errorCode;
}

/** The error message of a span without its code before it, which clients often repeat; null if it has none besides. */
export function errorTextOf({ errorCode, errorMessage }: SpanError): string | null {
  if (errorMessage === null) return null;
  let text = errorMessage;
  const first = /^([\w.]{1,200}): /.exec(text)?.[1];
  for (const prefix of [errorCode, first]) {
    if (prefix == null || prefix === '') continue;
    // The code goes, and so does the second of two equal words before the message.
    const kept = prefix === errorCode ? 0 : 1;
    while (text.startsWith(`${prefix}: `.repeat(kept + 1))) text = text.slice(prefix.length + 2);
  }
  return text === '' || text === errorCode ? null : text;
}

/** Error code and message of a span on one line; empty if it has neither. */
export function errorLine(error: SpanError): string {
  return [errorCodeOf(error), errorTextOf(error)].filter(Boolean).join(': ');
}

/** The beginning of a stack trace of Python, JavaScript, Java or .NET. */
const stackStart =
  /^(?:Traceback \(most recent call last\)|[ \t]+at [^\n]{1,400}(?:\)|:(?:line )?\d+)[ \t\r]*$|[ \t]+File "[^\n]+", line \d|goroutine \d+ \[)/m;
/** A line of a stack trace that is not indented. */
const stackLine =
  /^(?:\s|$|Traceback|Caused by|During handling|The above exception|goroutine|[\w.]+(?:Error|Exception|Exit|Interrupt|Warning)\b)/;
/** Longer texts are not looked at. */
const maxText = 100_000;

/**
 * Divides an error's text into its message and its stack trace. Python writes the message after the trace, others before it.
 *
 * @returns `stack`: null if there is none
 */
export function splitStack(text: string): { message: string; stack: string | null } {
  const at = stackStart.exec(text)?.index;
  if (at === undefined) return { message: text, stack: null };
  const before = text.slice(0, at).trim();
  if (before !== '') return { message: before, stack: text.slice(at).replace(/^\n/, '') };
  const last =
    text
      .trimEnd()
      .split('\n')
      .findLast((line) => /^\S/.test(line)) ?? '';
  return { message: last.startsWith('Traceback') ? 'Stack trace' : last, stack: text };
}

/** The parts of a text that is an error with its stack trace and nothing more; null for any other text. */
export function stackOnly(text: string): { message: string; stack: string } | null {
  if (text.length > maxText) return null;
  const { message, stack } = splitStack(text);
  if (stack === null || message.includes('\n')) return null;
  return stack.split('\n').every((line) => stackLine.test(line)) ? { message, stack } : null;
}

/** The stack trace that an OpenTelemetry event of an exception has; null if none has one. */
export function stackOfEvents(events: unknown): string | null {
  if (!Array.isArray(events)) return null;
  for (const event of events as unknown[]) {
    const attributes = typeof event === 'object' && event !== null && 'attributes' in event ? event.attributes : null;
    const found = (attributes as Record<string, unknown> | null)?.['exception.stacktrace'];
    if (typeof found === 'string' && found !== '') return found;
  }
  return null;
}
