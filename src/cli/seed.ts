import { SingleBar } from 'cli-progress';
import { Command, InvalidArgumentError } from 'commander';
import { pino } from 'pino';
import { startApp } from '../app.ts';
import { configOfProcess } from '../config.ts';
import { systemActor } from '../contract/actor.ts';
import { createProject } from '../features/identity/index.ts';
import { readEvents } from '../features/ingest/index.ts';
import { sealHours } from '../features/models/index.ts';
import { systemClock } from '../platform/clock/clock.ts';
import { seedGovernance } from './seed/seed-governance.ts';
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
    .description('Fill a project with a demonstration month: agents, tools, models, sessions, errors, scores and guardrails')
    .option('--spans <n>', 'about how many spans', wholeNumber, 20_000)
    .option('--seed <n>', 'the same seed gives the same month', wholeNumber, 1)
    .option('--days <n>', 'how many days back', wholeNumber, 30)
    .option('--url <url>', 'send to a running service instead of opening the data directory')
    .option('--key <key>', 'the API key of the project to send to, with --url')
    .action(async (flags: SeedFlags) => {
      const progress = new SingleBar({ format: 'seeding {bar} {value}/{total} spans' });
      const run = async (target: SeedTarget) => {
        progress.start(flags.spans, 0);
        try {
          return await seed({ ...flags, endMs: Date.now() }, target, (spans) => progress.update(Math.min(spans, flags.spans)));
        } finally {
          progress.stop();
        }
      };
      const sent = flags.url === undefined ? await seedDirectory(run, flags) : await run(remote(flags.url, flags.key ?? ''));
      console.log(`seeded ${sent.traces} traces, ${sent.spans} spans and ${sent.scores} scores`);
    });
}

/** Opens the data directory and creates a project for the demonstration, with environments and guardrails. */
async function seedDirectory<T>(run: (target: SeedTarget) => Promise<T>, flags: SeedFlags): Promise<T> {
  const log = pino({ level: 'warn' });
  const app = await startApp({ ...configOfProcess(), port: 0, host: '127.0.0.1', metricsPort: null }, { log, jobs: false });
  try {
    const { identity, models, traceStore, policies, guardrails } = app.features;
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
    });
    const governance = { policies, guardrails, pipeline: traceStore.pipeline };
    const checks = await seedGovernance(governance, { ...tenant, plan: 'scale' }, { ...flags, endMs: Date.now() });
    console.log(`two environments, five guardrails and ${checks} checks`);
    await traceStore.pipeline.drain();
    const later = { now: () => Date.now() + 60_000 };
    while (
      (await sealHours({ clickhouse: app.stores.clickhouse, hourStates: models.hourStates.at(later), clock: systemClock })) > 0
    );
    return result;
  } finally {
    await app.close();
  }
}

/** Sends to a running service; honours Retry-After. */
function remote(url: string, key: string): SeedTarget {
  return {
    send: async (events) => {
      for (;;) {
        const answer = await fetch(new URL('/v1/ingest', url), {
          method: 'POST',
          headers: { 'x-api-key': key, 'content-type': 'application/x-ndjson' },
          body: events.map((event) => JSON.stringify(event)).join('\n'),
        });
        const text = await answer.text();
        if (answer.status === 202) return;
        const wait = Number(answer.headers.get('retry-after') ?? 0);
        if ((answer.status !== 429 && answer.status !== 503) || wait > 60)
          throw new Error(`the service answered ${answer.status}: ${text}`);
        await new Promise((resolve) => setTimeout(resolve, Math.max(1, wait) * 1000));
      }
    },
  };
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('give a whole number from 1');
  return value;
}
