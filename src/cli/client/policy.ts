import { resolve } from 'node:path';
import { Command } from 'commander';
import { policyLimits } from '../../contract/limits.ts';
import type { PolicyFault } from '../../contract/policies.ts';
import type { CommandIo } from './command-io.ts';
import { wholeNumberBetween } from './option-values.ts';
import { applyPolicies } from './policy/apply.ts';
import { initPolicies } from './policy/init.ts';
import { planPolicies } from './policy/plan.ts';
import { policyServiceOf } from './policy/policy-service.ts';
import type { PolicyService } from './policy/policy-service.ts';
import { pullPolicies } from './policy/pull.ts';
import { testPolicies } from './policy/run-tests.ts';
import { readPlan } from './policy/saved-plan.ts';
import { faultLines, validatePolicies } from './policy/validate.ts';
import { exitCodes, reporting } from './run-command.ts';
import { findProject, withServiceOptions } from './service/find-service.ts';
import type { ServiceFlags } from './service/find-service.ts';
import type { Refusal } from './service/refusal.ts';

const hints = {
  401: 'Set SPANWISE_TOKEN to a valid personal access token; the settings of the dashboard create one.',
  403: 'Set SPANWISE_TOKEN to a valid personal access token of a user who may do this; the settings of the dashboard create one.',
  404: 'Check the id of the project: --project, or SPANWISE_PROJECT.',
};

/** `spanwise policy init|validate|plan|apply|pull|test`: policies of a project as files. */
export function policyCommand(io: CommandIo): Command {
  const policy = new Command('policy').description('Environments and guardrails of a project as YAML files');
  addLocalCommands(policy, io);
  addServiceCommands(policy, io);
  return policy;
}

function addLocalCommands(policy: Command, io: CommandIo): void {
  folderCommand(policy, 'init', 'Write an example with comments and tests').action((folder: string, flags: ServiceFlags) =>
    report(io, flags, () => initPolicies(io.terminal, { folder: folderOf(io, folder), json: flags.json === true })),
  );
  folderCommand(policy, 'test', 'Check the texts of tests/ against the guardrails of the files, without a service')
    .addHelpText(
      'after',
      '\nExit codes: 0 all passed, 1 not. A case is a document {name, text, stage?, environment?, expect: {action, text?, triggered?}}.',
    )
    .action((folder: string, flags: ServiceFlags) =>
      report(io, flags, () => testPolicies(io.terminal, { folder: folderOf(io, folder), json: flags.json === true })),
    );
}

function addServiceCommands(policy: Command, io: CommandIo): void {
  serviceCommand(policy, 'validate', 'Print every fault of the files as path:line:column: message')
    .addHelpText('after', '\nExit codes: 0 valid, 1 not.')
    .action((folder: string | undefined, flags: ServiceFlags) =>
      report(
        io,
        flags,
        async () =>
          validatePolicies(io.terminal, await serviceOf(flags, io), {
            folder: folderOf(io, folder),
            shown: folder,
            json: flags.json === true,
          }),
        folder,
      ),
    );
  serviceCommand(policy, 'plan', 'Show what applying the files would change, without changing it')
    .option(
      '--replay <hours>',
      'also run the planned guardrails over the calls of the last hours',
      wholeNumberBetween(1, policyLimits.replayHours),
    )
    .option('--out <file>', 'write the plan with its files, for apply --plan')
    .option('--detailed-exitcode', 'exit with 2 where there are changes')
    .addHelpText('after', '\nExit codes: 0; with --detailed-exitcode 0 nothing to change, 2 changes, 1 an error.')
    .action((folder: string | undefined, flags: ServiceFlags & { replay?: number; out?: string; detailedExitcode?: boolean }) =>
      report(
        io,
        flags,
        async () =>
          planPolicies(io.terminal, await serviceOf(flags, io), {
            folder: folderOf(io, folder),
            json: flags.json === true,
            replay: flags.replay,
            out: flags.out,
            detailedExitcode: flags.detailedExitcode === true,
          }),
        folder,
      ),
    );
  addChangingCommands(policy, io);
}

function addChangingCommands(policy: Command, io: CommandIo): void {
  serviceCommand(policy, 'apply', 'Plan the files, ask, and apply them')
    .option('--auto-approve', 'do not ask')
    .option('--plan <file>', 'apply a plan of plan --out, with the files in it or those of the folder, if one is given')
    .option('--allow-removal', 'remove what no file names any more')
    .addHelpText('after', '\nExit codes: 0 applied, 1 not. Without a terminal it needs --auto-approve.')
    .action(
      (folder: string | undefined, flags: ServiceFlags & { plan?: string; autoApprove?: boolean; allowRemoval?: boolean }) =>
        report(
          io,
          flags,
          async () => {
            const { project } = flags.plan === undefined ? {} : await readPlan(flags.plan);
            const service = await serviceOf(flags, io, project);
            const { autoApprove = false, allowRemoval = false, plan, json = false } = flags;
            const given = folder === undefined && plan !== undefined ? undefined : folderOf(io, folder);
            return applyPolicies(io.terminal, service, { folder: given, json, autoApprove, allowRemoval, plan });
          },
          folder,
        ),
    );
  serviceCommand(policy, 'pull', 'Write the policy files of the service; asks before it overwrites or deletes one')
    .option('--revision <number>', 'the files as of a revision', wholeNumberBetween(0, 999_999_999))
    .option('--auto-approve', 'overwrite and delete without asking')
    .addHelpText('after', '\nExit codes: 0 done, 1 not. Without a terminal it overwrites and deletes with --auto-approve only.')
    .action((folder: string | undefined, flags: ServiceFlags & { revision?: number; autoApprove?: boolean }) =>
      report(io, flags, async () => {
        const { revision, autoApprove = false, json = false } = flags;
        return pullPolicies(io.terminal, await serviceOf(flags, io), {
          folder: folderOf(io, folder),
          json,
          revision,
          autoApprove,
        });
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
  const command = policy.command(name).description(description).argument('[dir]', 'the folder of the files; default: this one');
  return withServiceOptions(command, { takesKey: false });
}

/** The folder that is meant: relative to where the user stands, also where npm runs the program elsewhere. */
function folderOf({ environment: { startedIn } }: CommandIo, folder = '.'): string {
  return startedIn === null ? folder : resolve(startedIn, folder);
}

/** Errors: Misuse where project, token or URL is missing. */
async function serviceOf(flags: ServiceFlags, { environment }: CommandIo, planned?: string): Promise<PolicyService> {
  const { client, project } = await findProject(flags, environment, { accepts: 'token', hints, project: planned });
  return policyServiceOf(client, project);
}

/**
 * With `--detailed-exitcode` 2 means changes, so that every error is 1.
 *
 * @param folder as given, for the paths of faults
 */
function report(
  io: CommandIo,
  flags: ServiceFlags & { detailedExitcode?: boolean },
  work: () => Promise<number>,
  folder?: string,
): Promise<void> {
  return reporting(io, flags, work, {
    explain: (refusal) => faultsOf(refusal, folder),
    ...(flags.detailedExitcode === true ? { exitCodeOf: () => exitCodes.refused } : {}),
  });
}

function faultsOf({ detail: { code, errors } }: Refusal, folder: string | undefined): string[] {
  return code === 'invalid_policy' && Array.isArray(errors) ? faultLines(errors as PolicyFault[], folder) : [];
}
