import { hash, verify } from '@node-rs/argon2';

// OWASP's parameters for argon2id, the package's default algorithm: 19 MiB, two passes.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes a password with argon2id. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, parameters);
}

let nobody: Promise<string> | undefined;

/**
 * Whether a password belongs to a hash. With no hash (an unknown account) the same work is done and the answer is no, so that
 * the time tells nothing about who has an account.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  nobody ??= hashPassword('nobody has this password');
  const matches = await verify(passwordHash ?? (await nobody), password);
  return matches && passwordHash !== null;
}
