import { createHmac, hkdfSync } from 'node:crypto';
import { sameHash } from '../../platform/crypto/secrets.ts';

/** The cookie of {@link KnownBrowsers}. */
export const browserCookie = 'spanwise_browser';
/** How long a browser is known after its last sign-in, in seconds. */
export const browserSeconds = 400 * 86_400;

/**
 * Signs the cookie with which a browser shows as which account it last signed in, so that others who guess the account's password cannot delay its
 * owner. The cookie opens nothing, and names the account by a keyed hash alone.
 */
export class KnownBrowsers {
  readonly #key: Buffer;

  /** @param secret the installation's secret */
  constructor(secret: string) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, 'spanwise', 'spanwise/known-browser/v1', 32));
  }

  /** The cookie's value. @param account the email in lower case */
  valueFor(account: string, nowMs: number): string {
    const content = `${this.#hash(`account ${account}`)}.${Math.floor(nowMs / 1000).toString(36)}`;
    return `${content}.${this.#hash(content)}`;
  }

  /** Whether the cookie was made by this installation for a sign-in of the last 400 days. @param account as which; null: any */
  knows(cookie: string | undefined, account: string | null, nowMs: number): boolean {
    const [named = '', signedIn = '', signature = ''] = cookie?.split('.', 3) ?? [];
    if (!sameText(signature, this.#hash(`${named}.${signedIn}`))) return false;
    if (nowMs / 1000 - parseInt(signedIn, 36) > browserSeconds) return false;
    return account === null || sameText(named, this.#hash(`account ${account}`));
  }

  #hash(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}

function sameText(left: string, right: string): boolean {
  return sameHash(Buffer.from(left), Buffer.from(right));
}
