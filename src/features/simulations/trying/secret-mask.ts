/** Length from which a part of a secret counts as the secret. */
const shortestPart = 8;
const mask = '***';

/** Hides secrets in texts of a target, which may repeat what it was sent. */
export class SecretMask {
  readonly #parts = new Set<string>();

  /** @param secrets those shorter than 8 characters are not hidden: they occur in ordinary text */
  constructor(secrets: readonly string[]) {
    for (const secret of secrets) {
      this.#add(secret);
      // As in JSON text.
      this.#add(JSON.stringify(secret).slice(1, -1));
    }
  }

  /** The text with each run of 8 or more characters of a secret replaced by `***`. */
  hide(text: string): string {
    if (this.#parts.size === 0) return text;
    let result = '';
    let copied = 0;
    for (let at = 0; at + shortestPart <= text.length; at += 1) {
      if (!this.#parts.has(text.slice(at, at + shortestPart))) continue;
      // Overlapping parts are one run.
      if (at >= copied) result += text.slice(copied, at) + mask;
      copied = at + shortestPart;
    }
    return result + text.slice(copied);
  }

  #add(secret: string): void {
    for (let at = 0; at + shortestPart <= secret.length; at += 1) this.#parts.add(secret.slice(at, at + shortestPart));
  }
}
