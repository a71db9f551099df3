/** Length from which a part of a secret counts as the secret. */
const partLength = 8;

/**
 * The parts of secrets, to be found in texts of foreign servers, which repeat what they were sent. Secrets shorter than 8 characters are no secrets:
 * people give local servers keys like `none`, which occur in ordinary text. Takes time proportional to the text, whatever the length of the secrets.
 */
export class SecretParts {
  readonly #parts = new Set<string>();
  /** Whether two neighbouring characters, by their hash, are in a secret. */
  readonly #pairs = new Uint8Array(65_536);

  constructor(secrets: readonly string[]) {
    for (const secret of secrets) {
      for (let at = 0; at + partLength <= secret.length; at++) this.#parts.add(secret.slice(at, at + partLength));
      if (secret.length >= partLength) for (let at = 0; at + 2 <= secret.length; at++) this.#pairs[pairAt(secret, at)] = 1;
    }
  }

  /** The text with each run of 8 or more characters of a secret replaced by `mask`. */
  replacedIn(text: string, mask: string): string {
    if (this.#parts.size === 0) return text;
    let result = '';
    let copied = 0;
    for (let at = 0; at + partLength <= text.length;) {
      if (this.#pairs[pairAt(text, at + partLength - 2)] === 0) {
        // No part holds this pair: the next begins at its second character.
        at += partLength - 1;
        continue;
      }
      if (this.#parts.has(text.slice(at, at + partLength))) {
        // Overlapping parts are one run.
        if (at >= copied) result += text.slice(copied, at) + mask;
        copied = at + partLength;
      }
      at += 1;
    }
    return result + text.slice(copied);
  }
}

function pairAt(text: string, at: number): number {
  return (text.charCodeAt(at) * 251 + text.charCodeAt(at + 1)) & 0xffff;
}
