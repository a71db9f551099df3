/** An error that a command reports in one line, without a stack. */
export class Refusal extends Error {
  /** What `--json` prints beside the message, for example the service's answer. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** With which the command exits (docs/cli.md, "Exit codes"). */
  readonly exitCode: number = 1;
  /** Seconds after which the service says to try again; null where it does not. */
  readonly retryAfterS: number | null;

  constructor(message: string, detail: Readonly<Record<string, unknown>> = {}, retryAfterS: number | null = null) {
    super(message);
    this.name = 'Refusal';
    this.detail = detail;
    this.retryAfterS = retryAfterS;
  }
}

/** A missing or wrong option, variable or login. */
export class Misuse extends Refusal {
  override readonly exitCode = 2;
}

/** No answer, or that of something else than a Spanwise service. */
export class NoAnswer extends Refusal {
  override readonly exitCode = 2;
}
