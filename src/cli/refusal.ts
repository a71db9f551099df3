/** An error that a command reports in one line, without a stack. */
export class Refusal extends Error {
  /** What `--json` prints beside the message, for example the service's answer. */
  readonly detail: Readonly<Record<string, unknown>>;

  constructor(message: string, detail: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'Refusal';
    this.detail = detail;
  }
}
