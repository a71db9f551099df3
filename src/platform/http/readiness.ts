/** Whether the process takes traffic, for `/readyz` and for draining. */
export class Readiness {
  #started = false;
  #draining = false;
  readonly #checks: Array<() => string | null> = [];

  get draining(): boolean {
    return this.#draining;
  }

  /** Adds a check that is asked at each `/readyz`: null when all is well, else a reason for the operator. */
  watch(check: () => string | null): void {
    this.#checks.push(check);
  }

  started(): void {
    this.#started = true;
  }

  drain(): void {
    this.#draining = true;
  }

  /** Why the process takes no traffic; empty when it does. */
  reasons(): string[] {
    if (this.#draining) return ['draining'];
    if (!this.#started) return ['starting'];
    return this.#checks.map((check) => check()).filter((reason) => reason !== null);
  }
}
