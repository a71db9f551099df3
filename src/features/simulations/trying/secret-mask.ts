import { SecretParts } from '../../../platform/text/index.ts';

const mask = '***';

/** Hides secrets in texts of a target, which may repeat what it was sent. */
export class SecretMask {
  readonly #parts: SecretParts;
  /** Longest first, so that none hides a part of another. */
  readonly #whole: readonly string[];

  /**
   * @param headers values of secret headers; those shorter than 8 characters are not hidden: they occur in ordinary text
   * @param named secrets of the query and the body; short ones are hidden in what was sent alone
   */
  constructor(headers: readonly string[], named: readonly string[] = []) {
    this.#parts = new SecretParts([...headers, ...named].flatMap(formsOf));
    this.#whole = [...new Set(named.flatMap(formsOf))].toSorted((left, right) => right.length - left.length);
  }

  /** The text with each run of 8 or more characters of a secret replaced by `***`. */
  hide(text: string): string {
    return this.#parts.replacedIn(text, mask);
  }

  /** The same, and short named secrets too where they stand whole: for what was sent, which has them in known places. */
  hideSent(text: string): string {
    return this.hide(this.#whole.reduce((left, form) => left.replaceAll(form, mask), text));
  }
}

/** A secret as it is, as in JSON text and as in a URL. */
function formsOf(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
}
