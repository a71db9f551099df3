import { Command } from 'commander';
import { operateAnywhere } from './operate.ts';

/** `spanwise user reset-password`: sets a new temporary password for a user who has lost theirs. */
export function userCommand(): Command {
  const user = new Command('user').description('Users');
  user
    .command('reset-password')
    .description('Give a user a new temporary password, and end their sessions and personal tokens')
    .argument('<email>', 'what they sign in with')
    .action(async (email: string) => {
      const password = await operateAnywhere('reset-password', { email });
      if (password === null) user.error(`spanwise: there is no user with the email ${email}; check the spelling`);
      console.log(`${email} signs in with this password now: ${password}`);
    });
  return user;
}
