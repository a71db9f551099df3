/** Whether the process accepts traffic, for `/readyz` and for draining. */
export class Readiness {
  #started = false;
  #draining = false;
  readonly #checks: Array<() => string | null> = [];

  get draining(): boolean {
    return this.#draining;
  }

  /** Adds a check that runs at each `/readyz`: null when it passes, else the reason. */
  watch(check: () => string | null): void {
    this.#checks.push(check);
  }

  started(): void {
    this.#started = true;
  }

  drain(): void {
    this.#draining = true;
  }

  /** Why the process accepts no traffic; empty when it does. */
  reasons(): string[] {
    if (this.#draining) return ['draining'];
    if (!this.#started) return ['starting'];
    return this.#checks.map((check) => check()).filter((reason) => reason !== null);
  }
}
