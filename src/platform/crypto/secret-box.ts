import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const version = 'v1';
/** `v1:<key id>:<base64url of nonce, ciphertext and tag>` */
const form = /^v1:([0-9a-f]{8}):([A-Za-z0-9_-]+)$/;

/** A sealed text that cannot be opened: it has another key, purpose or owner, or it was changed. */
export class SealBroken extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'SealBroken';
  }
}

export interface SecretBoxOptions {
  /** The installation's secret: at least 32 random characters. Seals and opens. */
  secret: string;
  /** Earlier secrets, which still open what they sealed. */
  previous?: readonly string[];
  /** For example `model-connection`. Boxes of different purposes have different keys. */
  purpose: string;
}

/**
 * Encrypts credentials for storage: AES-256-GCM under a key derived (HKDF-SHA-256) from the installation's secret and the purpose.
 * A sealed text names its format and its key, so that both can change while older texts still open.
 */
export class SecretBox {
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly #current: string;

  constructor({ secret, previous = [], purpose }: SecretBoxOptions) {
    const keys = [secret, ...previous].map((text) => derived(text, purpose));
    this.#keys = new Map(keys.map((key) => [idOf(key), key]));
    this.#current = idOf(keys[0] ?? Buffer.alloc(0));
  }

  /**
   * Seals a text.
   *
   * @param owner for example a record's id; the text opens for the same owner only and so cannot be moved to another record
   */
  seal(text: string, owner: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#key(this.#current), nonce, { authTagLength: tagBytes });
    cipher.setAAD(additionalData(this.#current, owner));
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${version}:${this.#current}:${sealed.toString('base64url')}`;
  }

  /** Opens a sealed text. Errors: {@link SealBroken}; its message names the cause. */
  open(sealed: string, owner: string): string {
    const [, keyId, content] = form.exec(sealed) ?? [];
    const bytes = Buffer.from(content ?? '', 'base64url');
    if (keyId === undefined || bytes.length < nonceBytes + tagBytes)
      throw new SealBroken('it is not a sealed text of this version');
    const decipher = createDecipheriv(algorithm, this.#key(keyId), bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
    decipher.setAAD(additionalData(keyId, owner));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString('utf8');
    } catch (error) {
      throw new SealBroken('it was changed, or sealed for something else', error);
    }
  }

  #key(id: string): Buffer {
    const key = this.#keys.get(id);
    if (!key) throw new SealBroken('another SPANWISE_SECRET_KEY sealed it');
    return key;
  }
}

function derived(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'spanwise', `spanwise/${purpose}/${version}`, keyBytes));
}

/** Identifies a key without revealing it. */
function idOf(key: Buffer): string {
  return createHash('sha256').update('spanwise/key-id').update(key).digest('hex').slice(0, 8);
}

function additionalData(keyId: string, owner: string): Buffer {
  return Buffer.from(`${version}:${keyId}:${owner}`);
}
