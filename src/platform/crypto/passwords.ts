import { hash, verify } from '@node-rs/argon2';

// OWASP's parameters for argon2id, the package's default algorithm: 19 MiB, two passes.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes a password with argon2id. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, parameters);
}

let substituteHash: Promise<string> | undefined;

/**
 * Whether a password matches a hash. Without a hash (an unknown account) it takes the same time and returns false, so that response times
 * do not reveal which accounts exist.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  substituteHash ??= hashPassword('nobody has this password');
  const matches = await verify(passwordHash ?? (await substituteHash), password);
  return matches && passwordHash !== null;
}
