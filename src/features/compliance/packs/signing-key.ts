import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { ServiceError } from '../../../contract/errors.ts';
import type { Clock } from '../../../platform/clock/clock.ts';
import { SealBroken, SecretBox } from '../../../platform/crypto/secret-box.ts';
import { rawPublicKey } from '../format/ed25519.ts';
import type { Database } from '../../../platform/postgres/index.ts';

/** What the key is sealed for: it belongs to no record. */
const owner = 'installation';

export interface KeyPair {
  privateKey: KeyObject;
  /** Base64 of the raw key. */
  publicKey: string;
}

/** The installation's Ed25519 key, which signs evidence packs. It is made at first need and kept encrypted. */
export class SigningKey {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #box: SecretBox;

  /** @param secret the installation's secret */
  constructor(db: Database, clock: Clock, secret: string) {
    this.#db = db;
    this.#clock = clock;
    this.#box = new SecretBox({ secret, purpose: 'evidence-key' });
  }

  /**
   * The key, made now if there is none. Replicas that make one at the same time all get the one that was stored first.
   *
   * Errors: `conflict` when another SPANWISE_SECRET_KEY sealed it.
   */
  async pair(): Promise<KeyPair> {
    const row = (await this.#stored()) ?? (await this.#make());
    const der = Buffer.from(this.#opened(row.sealed_private_key), 'base64');
    return { privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }), publicKey: row.public_key };
  }

  /** The public key, base64; null before the first pack. */
  async publicKey(): Promise<string | null> {
    return (await this.#stored())?.public_key ?? null;
  }

  #opened(sealed: string): string {
    try {
      return this.#box.open(sealed, owner);
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      throw new ServiceError(
        'conflict',
        'The key that signs evidence packs is encrypted with another SPANWISE_SECRET_KEY; have the operator set that one again, or delete the row of the table evidence_keys, after which packs have a new key.',
        { cause: error },
      );
    }
  }

  #stored() {
    return this.#db.selectFrom('evidence_keys').select(['public_key', 'sealed_private_key']).executeTakeFirst();
  }

  async #make() {
    const { privateKey } = generateKeyPairSync('ed25519');
    const der = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
    await this.#db
      .insertInto('evidence_keys')
      .values({
        public_key: rawPublicKey(privateKey),
        sealed_private_key: this.#box.seal(der, owner),
        created_at: new Date(this.#clock.now()),
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
    const stored = await this.#stored();
    if (!stored) throw new Error('the key of evidence packs was not stored');
    return stored;
  }
}
