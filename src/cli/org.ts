import { Argument, Command, Option } from 'commander';
import { roles } from '../contract/permissions.ts';
import type { Role } from '../contract/permissions.ts';
import { planNames, plans } from '../contract/plans.ts';
import type { Plan } from '../contract/plans.ts';
import { isEmail, isName } from '../contract/identity.ts';
import { operateAnywhere } from './operate.ts';

/** `spanwise org`: creates organizations, invites their owners and changes plans, for which there is no endpoint (docs/semantics.md, "Plans"). */
export function orgCommand(): Command {
  const org = new Command('org').description('Organizations');
  org
    .command('set-plan')
    .description('Set the plan of an organization; a running service applies it within seconds')
    .argument('<organization>', 'its slug or id')
    .addArgument(new Argument('<plan>', 'the plan').choices(planNames))
    .action(async (organization: string, plan: Plan) => {
      const changed = await operateAnywhere('set-plan', { organization, plan });
      if (!changed) org.error(noSuch(organization));
      const { retentionDays, monthlyEvents } = plans[plan];
      console.log(`${organization} is on plan ${plan}: ${retentionDays} days of data, ${monthlyEvents} events a month`);
    });
  org
    .command('create')
    .description('Create an organization, and print the link with which its owner joins')
    .argument('<name>', 'its name')
    .requiredOption('--owner <email>', 'who becomes its owner')
    .action(async (name: string, { owner }: { owner: string }) => {
      if (!isName(name)) org.error('spanwise: the name must be one line of 1 to 200 characters');
      if (!isEmail(owner)) org.error(`spanwise: ${owner} is not an email; give that of a person`);
      const made = await operateAnywhere('create-organization', { name, owner });
      console.log(`Organization ${made.slug} (${made.id}) is created. Give this link to ${owner}; it works once, for 7 days:`);
      console.log(made.url);
    });
  org
    .command('invite')
    .description('Invite a person to an organization, and print the link with which they join')
    .argument('<organization>', 'its slug or id')
    .argument('<email>', 'who is invited')
    .addOption(new Option('--role <role>', 'their role').choices([...roles]).default('owner'))
    .action(async (slugOrId: string, email: string, { role }: { role: Role }) => {
      if (!isEmail(email)) org.error(`spanwise: ${email} is not an email; give that of a person`);
      const url = await operateAnywhere('invite', { organization: slugOrId, email, role });
      if (url === null) org.error(noSuch(slugOrId));
      console.log(`Give this link to ${email}; it works once, for 7 days:`);
      console.log(url);
    });
  return org;
}

function noSuch(organization: string): string {
  return `spanwise: there is no organization ${organization}; give its slug or id, as GET /v1/organizations shows them`;
}
