import { ServiceError } from '../../../contract/errors.ts';

let common: Promise<ReadonlySet<string>> | undefined;

/** The most common passwords, in lower case. Loaded at the first use: the list is larger than what else a sign-in needs. */
async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const ranked = dictionary['passwords-common'] as readonly string[];
  return new Set(ranked.filter((password) => password.length >= 8));
}

/** Whether a password is among the some 50,000 most common ones of public leaks (docs/semantics/access.md, "Passwords"), in any case of its letters. */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= load();
  return (await common).has(password.toLowerCase());
}

/**
 * Refuses a new password that is common.
 *
 * Errors: `invalid_request`.
 *
 * @param path of the password in the body
 */
export async function refuseCommon(password: string, path: string): Promise<void> {
  if (await isCommonPassword(password))
    throw new ServiceError('invalid_request', 'Choose another password: this one is among the most common ones.', {
      details: [{ path, message: 'is among the most common passwords' }],
    });
}
