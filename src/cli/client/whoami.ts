import { Command } from 'commander';
import type { CommandIo } from './command-io.ts';
import { exitCodes, reporting } from './run-command.ts';
import { callerOf } from './service/caller.ts';
import type { Caller } from './service/caller.ts';
import { findService, withServiceOptions } from './service/find-service.ts';
import type { ServiceFlags } from './service/find-service.ts';
import { visible } from './terminal/terminal.ts';

/** `spanwise whoami`: the service, and the user or project that the credential identifies. */
export function whoamiCommand(io: CommandIo): Command {
  return withServiceOptions(
    new Command('whoami').description('Show which service is used, and the user or project that the credential identifies'),
  ).action((flags: ServiceFlags) => reporting(io, flags, () => whoami(io, flags)));
}

async function whoami({ environment, terminal }: CommandIo, flags: ServiceFlags): Promise<number> {
  const { client, credential } = await findService(flags, environment);
  const caller = await callerOf(client, credential);
  if (flags.json) terminal.print(JSON.stringify({ url: client.url, ...caller }));
  else for (const line of linesOf(client.url, caller)) terminal.print(line);
  return exitCodes.done;
}

function linesOf(url: string, caller: Caller): string[] {
  if (caller.credential === 'key') {
    // An earlier release does not say them.
    const { keyName, keyPrefix, projectName, projectId, organizationSlug, plan, scopes = null } = caller;
    return [
      `API key ${visible(keyName)} (${visible(keyPrefix)}…) of ${url}`,
      `project ${visible(projectName)}  ${projectId}`,
      `organization ${visible(organizationSlug)}, plan ${plan}`,
      ...(scopes === null ? [] : [`scopes ${visible(scopes.join(', '))}`]),
    ];
  }
  return [
    `${visible(caller.user.name)} <${visible(caller.user.email)}> of ${url}`,
    ...caller.organizations.flatMap(({ slug, role, plan, projects }) => [
      `organization ${visible(slug)}, ${role}, plan ${plan}`,
      ...projects.map(({ name, id }) => `  project ${visible(name)}  ${id}`),
    ]),
  ];
}
