import { SingleBar } from 'cli-progress';
import { Command, InvalidArgumentError } from 'commander';
import { startApp } from '../app.ts';
import { configOfProcess } from '../config.ts';
import { systemActor } from '../contract/actor.ts';
import { createProject } from '../features/identity/index.ts';
import { readEvents } from '../features/ingest/index.ts';
import { sealHours } from '../features/models/index.ts';
import { reportOutcomes } from '../features/outcomes/index.ts';
import { systemClock } from '../platform/clock/clock.ts';
import { openLog } from '../platform/log/index.ts';
import { deploymentsOf, reportedChanges } from './seed/operations-scenario.ts';
import { seedAlerts } from './seed/seed-alerts.ts';
import { seedEvidencePack } from './seed/seed-evidence-pack.ts';
import { seedGovernance } from './seed/seed-governance.ts';
import { seedSimulations } from './seed/seed-simulations.ts';
import { seedOperations } from './seed/seed-operations.ts';
import { seedPrompts } from './seed/seed-prompts.ts';
import { seed } from './seed/seed.ts';
import type { SeedTarget } from './seed/seed.ts';

interface SeedFlags {
  spans: number;
  seed: number;
  days: number;
  url?: string;
  key?: string;
}

const dayMs = 86_400_000;

/** `spanwise seed`: writes a month of demonstration data through the ingestion code. */
export function seedCommand(): Command {
  return new Command('seed')
    .description(
      'Fill a project with a demonstration month: agents, tools, models, sessions, errors, scores, outcomes, prompts, guardrails, changes, model retirements, alert rules, incidents, simulations and an evidence pack',
    )
    .option('--spans <n>', 'about how many spans', wholeNumber, 20_000)
    .option('--seed <n>', 'the same seed gives the same month', wholeNumber, 1)
    .option('--days <n>', 'how many days back', wholeNumber, 30)
    .option('--url <url>', 'send to a running service instead of opening the data directory')
    .option('--key <key>', 'the API key of the project to send to, with --url')
    .action(async (flags: SeedFlags) => {
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
          : await seedService(run, flags.url, { ...flags, endMs });
      console.log(`seeded ${sent.traces} traces, ${sent.spans} spans, ${sent.scores} scores and ${sent.outcomes} outcomes`);
      if (flags.url === undefined) console.log('Start the service (npm start), sign in, and choose the project Demonstration.');
    });
}

/** Opens the data directory and creates a project for the demonstration, with environments and guardrails. */
async function seedDirectory<T>(run: (target: SeedTarget) => Promise<T>, flags: SeedFlags & { endMs: number }): Promise<T> {
  const log = openLog('warn');
  const app = await startApp({ ...configOfProcess(), port: 0, host: '127.0.0.1', metricsPort: null }, { log, jobs: false });
  try {
    const { identity, models, traceStore, policies, guardrails, alerts, incidents, changes, modelLifecycle, compliance } =
      app.features;
    const { datasets, simulations, prompts } = app.features;
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
    await seedEvidencePack(compliance, { ...tenant, plan: 'scale' }, flags);
    console.log('an evidence pack of the month');
    const later = { now: () => Date.now() + 60_000 };
    while (
      (await sealHours({ clickhouse: app.stores.clickhouse, hourStates: models.hourStates.at(later), clock: systemClock })) > 0
    );
    return result;
  } finally {
    await app.close();
  }
}

/** Sends traces to a running service, and reports the changes between them. */
async function seedService<T>(
  run: (target: SeedTarget) => Promise<T>,
  url: string,
  { key = '', ...period }: SeedFlags & { endMs: number },
): Promise<T> {
  const sent = await run(remote(url, key));
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const { projectId } = await answerOf<{ projectId: string }>(await fetch(new URL('/v1/sdk/whoami', url), { headers }));
  const changes = reportedChanges(period);
  for (const change of changes) {
    const body = JSON.stringify(change);
    await answerOf(await fetch(new URL(`/v1/projects/${projectId}/changes`, url), { method: 'POST', headers, body }));
  }
  console.log(`${changes.length} reported changes`);
  return sent;
}

async function answerOf<T>(answer: Response): Promise<T> {
  if (!answer.ok) throw new Error(`the service answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Sends to a running service. */
function remote(url: string, key: string): SeedTarget {
  return {
    send: (events) =>
      post(new URL('/v1/ingest', url), key, 'application/x-ndjson', events.map((event) => JSON.stringify(event)).join('\n')),
    report: (outcomes) => post(new URL('/v1/ingest/outcomes', url), key, 'application/json', JSON.stringify({ outcomes })),
  };
}

/** Resolves when the body is accepted; honours Retry-After. */
async function post(url: URL, key: string, contentType: string, body: string): Promise<void> {
  for (;;) {
    const answer = await fetch(url, { method: 'POST', headers: { 'x-api-key': key, 'content-type': contentType }, body });
    const text = await answer.text();
    if (answer.status === 202) return;
    const wait = Number(answer.headers.get('retry-after') ?? 0);
    if ((answer.status !== 429 && answer.status !== 503) || wait > 60)
      throw new Error(`the service answered ${answer.status}: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, wait) * 1000));
  }
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('give a whole number from 1');
  return value;
}
