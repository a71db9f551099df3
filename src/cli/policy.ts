import { Command, InvalidArgumentError, Option } from 'commander';
import { clientConfigOfProcess, configOfProcess } from '../config.ts';
import type { ClientConfig } from '../config.ts';
import { policyLimits } from '../contract/policies.ts';
import { applyPolicies } from './policy/apply.ts';
import { initPolicies } from './policy/init.ts';
import { planPolicies } from './policy/plan.ts';
import { policyServiceOf } from './policy/policy-service.ts';
import type { PolicyService } from './policy/policy-service.ts';
import { pullPolicies } from './policy/pull.ts';
import { testPolicies } from './policy/run-tests.ts';
import { readPlan } from './policy/saved-plan.ts';
import { processTerminal } from './policy/terminal.ts';
import type { Terminal } from './policy/terminal.ts';
import { faultLines, validatePolicies } from './policy/validate.ts';
import type { PolicyFault } from '../contract/policies.ts';
import { Refusal } from './refusal.ts';
import { openServiceClient } from './service-client.ts';

interface Flags {
  url?: string;
  token?: string;
  project?: string;
  json?: boolean;
}

/** What the commands read and write. */
export interface PolicyCommandIo {
  environment: ClientConfig;
  terminal: Terminal;
}

const hints = {
  401: 'Set SPANWISE_TOKEN to a valid personal access token; the settings of the dashboard create one.',
  403: 'Set SPANWISE_TOKEN to a valid personal access token of a user who may do this; the settings of the dashboard create one.',
  404: 'Check the id of the project: --project, or SPANWISE_PROJECT.',
};

/** `spanwise policy init|validate|plan|apply|pull|test`: policies of a project as files. */
export function policyCommand(io?: PolicyCommandIo): Command {
  const policy = new Command('policy').description('Environments and guardrails of a project as YAML files');
  const ioOf = (): PolicyCommandIo => {
    const environment = io?.environment ?? clientConfigOfProcess();
    return io ?? { environment, terminal: processTerminal(environment.colors) };
  };
  addLocalCommands(policy, ioOf);
  addServiceCommands(policy, ioOf);
  return policy;
}

function addLocalCommands(policy: Command, ioOf: () => PolicyCommandIo): void {
  folderCommand(policy, 'init', 'Write an example with comments and tests').action((folder: string, flags: Flags) =>
    reporting(ioOf(), flags, ({ terminal }) => initPolicies(terminal, { folder, json: flags.json === true })),
  );
  folderCommand(policy, 'test', 'Check the texts of tests/ against the guardrails of the files, without a service')
    .addHelpText(
      'after',
      '\nExit codes: 0 all passed, 1 not. A case is a document {name, text, stage?, environment?, expect: {action, text?, triggered?}}.',
    )
    .action((folder: string, flags: Flags) =>
      reporting(ioOf(), flags, ({ terminal }) => testPolicies(terminal, { folder, json: flags.json === true })),
    );
}

function addServiceCommands(policy: Command, ioOf: () => PolicyCommandIo): void {
  serviceCommand(policy, 'validate', 'Print every fault of the files as path:line:column: message')
    .addHelpText('after', '\nExit codes: 0 valid, 1 not.')
    .action((folder: string | undefined, flags: Flags) =>
      reporting(ioOf(), flags, (own) =>
        validatePolicies(own.terminal, serviceOf(flags, own), { folder: folder ?? '.', json: flags.json === true }),
      ),
    );
  serviceCommand(policy, 'plan', 'Show what applying the files would change, without changing it')
    .option('--replay <hours>', 'also run the planned guardrails over the calls of the last hours', hoursOf)
    .option('--out <file>', 'write the plan with its files, for apply --plan')
    .option('--detailed-exitcode', 'exit with 2 where there are changes')
    .addHelpText('after', '\nExit codes: 0; with --detailed-exitcode 0 nothing to change, 2 changes, 1 an error.')
    .action((folder: string | undefined, flags: Flags & { replay?: number; out?: string; detailedExitcode?: boolean }) =>
      reporting(ioOf(), flags, (own) =>
        planPolicies(own.terminal, serviceOf(flags, own), {
          folder: folder ?? '.',
          json: flags.json === true,
          replay: flags.replay,
          out: flags.out,
          detailedExitcode: flags.detailedExitcode === true,
        }),
      ),
    );
  addChangingCommands(policy, ioOf);
}

function addChangingCommands(policy: Command, ioOf: () => PolicyCommandIo): void {
  serviceCommand(policy, 'apply', 'Plan the files, ask, and apply them')
    .option('--auto-approve', 'do not ask')
    .option('--plan <file>', 'apply a plan of plan --out, with the files in it or those of the folder, if one is given')
    .option('--allow-removal', 'remove what no file names any more')
    .addHelpText('after', '\nExit codes: 0 applied, 1 not. Without a terminal it needs --auto-approve.')
    .action((folder: string | undefined, flags: Flags & { plan?: string; autoApprove?: boolean; allowRemoval?: boolean }) =>
      reporting(ioOf(), flags, async (own) => {
        const { project } = flags.plan === undefined ? {} : await readPlan(flags.plan);
        const service = serviceOf(flags, own, project);
        const { autoApprove = false, allowRemoval = false, plan, json = false } = flags;
        return applyPolicies(own.terminal, service, { folder, json, autoApprove, allowRemoval, plan });
      }),
    );
  serviceCommand(policy, 'pull', 'Write the policy files of the service; asks before it overwrites or deletes one')
    .option('--revision <number>', 'the files as of a revision', wholeNumber)
    .option('--auto-approve', 'overwrite and delete without asking')
    .addHelpText('after', '\nExit codes: 0 done, 1 not. Without a terminal it overwrites and deletes with --auto-approve only.')
    .action((folder: string | undefined, flags: Flags & { revision?: number; autoApprove?: boolean }) =>
      reporting(ioOf(), flags, (own) => {
        const { revision, autoApprove = false, json = false } = flags;
        return pullPolicies(own.terminal, serviceOf(flags, own), { folder: folder ?? '.', json, revision, autoApprove });
      }),
    );
}

function folderCommand(policy: Command, name: string, description: string): Command {
  return policy
    .command(name)
    .description(description)
    .argument('[dir]', 'the folder of the files', '.')
    .option('--json', 'print JSON');
}

function serviceCommand(policy: Command, name: string, description: string): Command {
  return policy
    .command(name)
    .description(description)
    .argument('[dir]', 'the folder of the files; default: this one')
    .option('--json', 'print JSON')
    .option('--project <id>', 'the project; default: SPANWISE_PROJECT')
    .option('--url <url>', 'where the service is; default: SPANWISE_URL, else as of the settings of this machine')
    .addOption(new Option('--token <token>', 'a personal access token; default: SPANWISE_TOKEN'));
}

/** Errors: {@link Refusal} where project, token or URL is missing. */
function serviceOf(flags: Flags, { environment }: PolicyCommandIo, plannedProject?: string): PolicyService {
  const project = flags.project ?? environment.project ?? plannedProject;
  if (project === undefined) throw new Refusal('give the id of the project with --project, or set SPANWISE_PROJECT');
  const credential = flags.token ?? environment.token;
  if (credential === null) throw new Refusal('set SPANWISE_TOKEN to a personal access token, or give it with --token');
  const url = flags.url ?? environment.url ?? urlOfThisMachine();
  return policyServiceOf(openServiceClient({ url, credential, hints, urlOption: '--url or SPANWISE_URL' }), project);
}

function urlOfThisMachine(): string {
  const { publicUrl, port } = configOfProcess();
  return publicUrl ?? `http://127.0.0.1:${port}`;
}

/** Runs a command, and reports a refusal: a line on standard error, with `--json` an object on standard output, exit code 1. */
async function reporting(
  io: PolicyCommandIo,
  { json = false }: Flags,
  work: (io: PolicyCommandIo) => Promise<number>,
): Promise<void> {
  const { terminal } = io;
  try {
    terminal.exit(await work(io));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { errors } = error.detail;
    if (json) terminal.print(JSON.stringify({ ...error.detail, error: error.message }));
    terminal.warn(`spanwise: ${error.message}`);
    if (error.detail['code'] === 'invalid_policy' && Array.isArray(errors)) {
      for (const line of faultLines(errors as PolicyFault[])) terminal.warn(line);
    }
    terminal.exit(1);
  }
}

function hoursOf(text: string): number {
  const hours = wholeNumber(text);
  if (hours < 1 || hours > policyLimits.replayHours)
    throw new InvalidArgumentError(`give 1 to ${policyLimits.replayHours} hours`);
  return hours;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('give a whole number');
  return Number(text);
}
