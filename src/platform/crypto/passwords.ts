import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { Turns } from '../budgets/index.ts';

// OWASP's parameters for argon2id, the package's default algorithm: 19 MiB, two passes.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes at a time: each keeps a core busy for 50 ms, and half of the cores are left to everybody else. Who may wait is decided before. */
const cores = new Turns(
  { running: Math.max(1, Math.floor(availableParallelism() / 2)), waiting: Number.POSITIVE_INFINITY },
  { busy: () => new Error('the queue of hashes has no limit') },
);

/** Hashes a password with argon2id. */
export function hashPassword(password: string): Promise<string> {
  return cores.run('', () => hash(password, parameters));
}

let substituteHash: Promise<string> | undefined;

/**
 * Whether a password matches a hash. Without a hash (an unknown account) it takes the same time and returns false, so that response times
 * do not reveal which accounts exist.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  substituteHash ??= hashPassword('nobody has this password');
  const compared = passwordHash ?? (await substituteHash);
  return (await cores.run('', () => verify(compared, password))) && passwordHash !== null;
}
