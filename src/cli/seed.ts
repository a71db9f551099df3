import { SingleBar } from 'cli-progress';
import { Command, InvalidArgumentError } from 'commander';
import { startApp } from '../app.ts';
import { configOfProcess } from '../config.ts';
import { systemActor } from '../contract/actor.ts';
import type { UserActor } from '../contract/actor.ts';
import { createProject } from '../features/identity/index.ts';
import type { IdentityFeature } from '../features/identity/index.ts';
import { readEvents } from '../features/ingest/index.ts';
import { sealHours } from '../features/figures/index.ts';
import { reportOutcomes } from '../features/outcomes/index.ts';
import { systemClock } from '../platform/clock/clock.ts';
import { openLog } from '../platform/log/index.ts';
import type { CommandIo } from './client/command-io.ts';
import { exitCodes, reporting } from './client/run-command.ts';
import { Misuse, Refusal } from './client/service/refusal.ts';
import { openServiceClient } from './client/service/service-client.ts';
import type { ServiceClient } from './client/service/service-client.ts';
import { deploymentsOf, reportedChanges } from './seed/operations-scenario.ts';
import { seedComments } from './seed/seed-comments.ts';
import { seedAlerts } from './seed/seed-alerts.ts';
import { seedEvidencePack } from './seed/seed-evidence-pack.ts';
import { seedGovernance } from './seed/seed-governance.ts';
import { seedSimulations } from './seed/seed-simulations.ts';
import { seedOperations } from './seed/seed-operations.ts';
import { seedPrompts } from './seed/seed-prompts.ts';
import { seed } from './seed/seed.ts';
import type { SeedTarget } from './seed/seed.ts';
import { dayMs } from '../contract/durations.ts';

interface SeedFlags {
  spans: number;
  seed: number;
  days: number;
  url?: string;
  key?: string;
}

/** `spanwise seed`: writes a month of demonstration data through the ingestion code. */
export function seedCommand(io: CommandIo): Command {
  return new Command('seed')
    .description(
      'Fill a project with a demonstration month: agents, tools, models, sessions, errors, scores, outcomes, prompts, guardrails, changes, model retirements, alert rules, incidents, simulations, comments and an evidence pack',
    )
    .option('--spans <n>', 'about how many spans', wholeNumber, 20_000)
    .option('--seed <n>', 'the same seed gives the same month', wholeNumber, 1)
    .option('--days <n>', 'how many days back', wholeNumber, 30)
    .option('--url <url>', 'send to a running service instead of opening the data directory')
    .option('--key <key>', 'the API key of the project to send to, with --url; default: SPANWISE_API_KEY')
    .action((flags: SeedFlags) => reporting(io, {}, () => seedWith(flags, io)));
}

async function seedWith(flags: SeedFlags, io: CommandIo): Promise<number> {
  const endMs = Date.now();
  const progress = new SingleBar({ format: 'seeding {bar} {value}/{total} spans' });
  const run = async (target: SeedTarget) => {
    progress.start(flags.spans, 0);
    try {
      const period = { ...flags, endMs };
      return await seed({ ...period, deployments: deploymentsOf(period) }, target, (spans) =>
        progress.update(Math.min(spans, flags.spans)),
      );
    } finally {
      progress.stop();
    }
  };
  const sent =
    flags.url === undefined
      ? await seedDirectory(run, { ...flags, endMs })
      : await seedService(run, serviceOf(flags.url, flags.key ?? io.environment.apiKey), { ...flags, endMs });
  console.log(`seeded ${sent.traces} traces, ${sent.spans} spans, ${sent.scores} scores and ${sent.outcomes} outcomes`);
  if (flags.url === undefined) console.log('Start the service (npm start), sign in, and choose the project Demonstration.');
  return exitCodes.done;
}

/** Errors: {@link Misuse} without an API key, and for a URL that is none. */
function serviceOf(url: string, key: string | null): ServiceClient {
  if (key === null) throw new Misuse('give the API key of the project with --key, or set SPANWISE_API_KEY');
  return openServiceClient({ url, credential: key, urlOption: '--url' });
}

/** Opens the data directory and creates a project for the demonstration, with environments and guardrails. */
async function seedDirectory<T>(run: (target: SeedTarget) => Promise<T>, flags: SeedFlags & { endMs: number }): Promise<T> {
  const log = openLog('warn');
  const app = await startApp({ ...configOfProcess(), port: 0, host: '127.0.0.1', metricsPort: null }, { log, jobs: false });
  try {
    const { identity, figures, traceStore, policies, guardrails, alerts, incidents, changes, modelLifecycle, compliance } =
      app.features;
    const { datasets, simulations, prompts, comments } = app.features;
    if (identity.firstStart) {
      const { email, generatedPassword, apiKey } = identity.firstStart;
      console.log(
        `first start: sign in as ${email}${generatedPassword === null ? '' : `, password ${generatedPassword}`}, API key ${apiKey}`,
      );
    }
    const organization = await identity.context.db
      .selectFrom('organizations')
      .select('id')
      .orderBy('created_at')
      .executeTakeFirstOrThrow();
    const project = await createProject(
      identity.context,
      { organizationId: organization.id, actor: systemActor },
      { name: 'Demonstration' },
    );
    console.log(`project ${project.name} (${project.id})`);
    const tenant = { projectId: project.id, organizationId: organization.id };
    const result = await run({
      send: async (events) => {
        const nowMs = Date.now();
        const body = Buffer.from(events.map((event) => JSON.stringify(event)).join('\n'));
        const { batch, accepted, rejected } = readEvents(body, { nowMs, oldestMs: nowMs - 365 * dayMs, bodyKey: project.id });
        if (rejected[0]) throw new Error(`the demonstration has an event that is refused: ${rejected[0].error}`);
        await traceStore.pipeline.accept(tenant, batch, accepted);
      },
      report: async (outcomes) => {
        const reporting = { clock: systemClock, pipeline: traceStore.pipeline };
        const { rejected } = await reportOutcomes(reporting, { ...tenant, plan: 'scale' }, { outcomes });
        if (rejected[0]) throw new Error(`the demonstration has an outcome that is refused: ${rejected[0].error}`);
      },
    });
    console.log(`${await seedPrompts(prompts, { ...tenant, plan: 'scale' })} prompts`);
    const governance = { policies, guardrails, pipeline: traceStore.pipeline };
    const checks = await seedGovernance(governance, { ...tenant, plan: 'scale' }, flags);
    console.log(`two environments, five guardrails and ${checks} checks`);
    await traceStore.pipeline.drain();
    const operations = await seedOperations({ changes, modelLifecycle }, { ...tenant, plan: 'scale' }, flags);
    console.log(`${operations.changes} reported changes and ${operations.openFindings} models that are retired soon`);
    const alerting = await seedAlerts({ alerts, incidents }, { ...tenant, plan: 'scale' }, flags);
    const { open, acknowledged, resolved } = alerting.incidents;
    console.log(`${alerting.rules} alert rules, and incidents: ${open} open, ${acknowledged} acknowledged, ${resolved} resolved`);
    const simulated = await seedSimulations({ datasets, simulations }, { ...tenant, plan: 'scale' });
    console.log(`${simulated.scenarios} scenarios and ${simulated.runs} batch runs`);
    await traceStore.pipeline.drain();
    const author = await ownerOf(identity.context, organization.id);
    console.log(`${await seedComments(comments, { ...tenant, plan: 'scale' }, author)} comments`);
    await seedEvidencePack(compliance, { ...tenant, plan: 'scale' }, flags);
    console.log('an evidence pack of the month');
    const later = { now: () => Date.now() + 60_000 };
    while (
      (await sealHours({ clickhouse: app.stores.clickhouse, hourStates: figures.hourStates.at(later), clock: systemClock })) > 0
    );
    return result;
  } finally {
    await app.close();
  }
}

/** The first owner of an organization. */
async function ownerOf({ db }: IdentityFeature['context'], organizationId: string): Promise<UserActor> {
  const { id, email, name } = await db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.email', 'u.name'])
    .where('m.organization_id', '=', organizationId)
    .where('m.role', '=', 'owner')
    .orderBy('m.created_at')
    .executeTakeFirstOrThrow();
  return { type: 'user', id, email, name };
}

/** Sends traces to a running service, and reports the changes between them. */
async function seedService<T>(
  run: (target: SeedTarget) => Promise<T>,
  client: ServiceClient,
  period: SeedFlags & { endMs: number },
): Promise<T> {
  const sent = await run(remote(client));
  const { projectId } = await client.json<{ projectId: string }>('GET', '/v1/sdk/whoami');
  const changes = reportedChanges(period);
  for (const change of changes) await client.json('POST', `/v1/projects/${projectId}/changes`, change);
  console.log(`${changes.length} reported changes`);
  return sent;
}

/** Sends to a running service. */
function remote(client: ServiceClient): SeedTarget {
  return {
    send: (events) => post(client, '/v1/ingest', 'application/x-ndjson', events.map((event) => JSON.stringify(event)).join('\n')),
    report: (outcomes) => post(client, '/v1/ingest/outcomes', 'application/json', JSON.stringify({ outcomes })),
  };
}

/** Resolves when the body is accepted; honours Retry-After. */
async function post(client: ServiceClient, path: string, contentType: string, body: string): Promise<void> {
  for (;;) {
    try {
      await client.send(path, { method: 'POST', headers: { 'content-type': contentType }, body });
      return;
    } catch (error) {
      const wait = error instanceof Refusal ? error.retryAfterS : null;
      if (wait === null || wait > 60) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.max(1, wait) * 1000));
    }
  }
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('give a whole number from 1');
  return value;
}
