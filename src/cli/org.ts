import { Argument, Command } from 'commander';
import { planNames, plans } from '../contract/plans.ts';
import type { Plan } from '../contract/plans.ts';
import { systemClock } from '../platform/clock/clock.ts';
import { identityContext, setPlan } from '../features/identity/index.ts';
import { withPostgres } from './with-postgres.ts';

/** `spanwise org set-plan`: changes a plan; there is no endpoint for it (docs/semantics.md, "Plans"). */
export function orgCommand(): Command {
  const org = new Command('org').description('Organizations');
  org
    .command('set-plan')
    .description(
      'Set the plan of an organization; stop a service with an embedded database first, others apply it within seconds',
    )
    .argument('<organization>', 'its slug or id')
    .addArgument(new Argument('<plan>', 'the plan').choices(planNames))
    .action(async (organization: string, plan: Plan) => {
      const changed = await withPostgres((postgres) => setPlan(identityContext(postgres.db, systemClock), organization, plan));
      if (!changed)
        org.error(`spanwise: there is no organization ${organization}; give its slug or id, as GET /v1/organizations shows them`);
      const { retentionDays, monthlyEvents } = plans[plan];
      console.log(`${organization} is on plan ${plan}: ${retentionDays} days of data, ${monthlyEvents} events a month`);
    });
  return org;
}
