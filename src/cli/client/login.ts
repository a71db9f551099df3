import { isIPv4 } from 'node:net';
import { Command, Option } from 'commander';
import type { CommandIo } from './command-io.ts';
import { exitCodes, reporting } from './run-command.ts';
import { callerOf } from './service/caller.ts';
import type { Caller } from './service/caller.ts';
import { findService, tokenPrefix } from './service/find-service.ts';
import type { ServiceFlags } from './service/find-service.ts';
import { readLogin, removeLogin, writeLogin } from './service/login-file.ts';
import { Misuse } from './service/refusal.ts';
import { visible } from './terminal/terminal.ts';

/** What was given for a login; `secret` is a token or a key. */
interface Given {
  url: string;
  secret: string;
}

/** `spanwise login`: verifies URL and credential, and keeps them for later commands. */
export function loginCommand(io: CommandIo): Command {
  return new Command('login')
    .description('Ask for the URL of a service and a personal access token, verify both and keep them')
    .option('--json', 'print JSON')
    .option('--url <url>', 'where the service is; default: asked for, else SPANWISE_URL, else this machine')
    .addOption(new Option('--key <key>', 'an API key of a project, instead of a token').conflicts('token'))
    .option('--token <token>', 'default: asked for, else SPANWISE_TOKEN, else standard input, which shells do not record')
    .option('--project <id>', 'the project of later commands; default: the only one that the user has')
    .addHelpText('after', '\nThe file is ~/.config/spanwise/config.json, or below XDG_CONFIG_HOME; its owner alone can read it.')
    .action((flags: ServiceFlags) => reporting(io, flags, () => login(io, flags)));
}

/** `spanwise logout`: removes what login kept. The token stays valid until it is deleted in the settings of the dashboard. */
export function logoutCommand(io: CommandIo): Command {
  return new Command('logout')
    .description('Remove the URL and the token that login keeps; delete the token itself in the settings of the dashboard')
    .option('--json', 'print JSON')
    .action((flags: { json?: boolean }) =>
      reporting(io, flags, async () => {
        const { loginFile } = io.environment;
        const removed = await removeLogin(loginFile);
        if (flags.json) io.terminal.print(JSON.stringify({ removed, file: loginFile }));
        else io.terminal.print(removed ? `Removed ${loginFile}.` : 'There is no login.');
        return exitCodes.done;
      }),
    );
}

async function login({ environment, terminal }: CommandIo, flags: ServiceFlags): Promise<number> {
  const { url, secret } = terminal.canAsk ? await typed(flags, environment, terminal) : await piped(flags, environment, terminal);
  const { client, credential } = await findService(
    secret.startsWith(tokenPrefix) ? { url, token: secret } : { url, key: secret },
    { ...environment, apiKey: null, token: null },
    { hints: { 401: 'Give a valid token; the settings of the dashboard create one.' } },
  );
  const caller = await callerOf(client, credential);
  const project = projectOf(caller, flags.project);
  const { loginFile } = environment;
  await writeLogin(loginFile, {
    url,
    ...(credential === 'token' ? { token: secret } : { key: secret }),
    ...(project === undefined ? {} : { project }),
  });
  const who = caller.credential === 'key' ? `project ${caller.projectName}` : caller.user.email;
  if (flags.json) terminal.print(JSON.stringify({ url, ...caller, project: project ?? null, file: loginFile }));
  else terminal.print(`Signed in to ${url} as ${visible(who)}. ${loginFile} keeps it.`);
  if (isUnencrypted(url))
    terminal.warn(`spanwise: ${url} is not encrypted: whoever sees the network's traffic can read the token`);
  return exitCodes.done;
}

async function typed(
  flags: ServiceFlags,
  environment: CommandIo['environment'],
  terminal: CommandIo['terminal'],
): Promise<Given> {
  const kept = await readLogin(environment.loginFile).catch(() => null);
  const initial = environment.url ?? kept?.url ?? environment.urlOfThisMachine;
  const url = flags.url ?? (await terminal.type('URL of the service', { initial }));
  if (url === null || url === '') throw new Misuse('not signed in; nothing was kept');
  const question = 'Personal access token (the settings of the dashboard create one)';
  const secret = flags.key ?? flags.token ?? (await terminal.type(question, { isSecret: true }));
  if (secret === null || secret === '') throw new Misuse('not signed in; nothing was kept');
  return { url, secret };
}

/** Without a terminal: options, then variables, then lines of standard input, of which the first may be the URL. */
async function piped(
  flags: ServiceFlags,
  environment: CommandIo['environment'],
  terminal: CommandIo['terminal'],
): Promise<Given> {
  const url = flags.url ?? environment.url;
  const named = flags.key ?? flags.token ?? environment.token ?? environment.apiKey;
  const lines =
    named === null ? (await terminal.readInput()).split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()])) : [];
  const first = url === null && /^https?:/i.test(lines[0] ?? '') ? lines.shift() : undefined;
  const secret = named ?? lines[0];
  if (secret === undefined) throw new Misuse('give the token with --token, or as standard input');
  return { url: url ?? first ?? environment.urlOfThisMachine, secret };
}

/** The project of later commands. Errors: {@link Misuse} for one that the credential has not. */
function projectOf(caller: Caller, wanted: string | undefined): string | undefined {
  const projects =
    caller.credential === 'key'
      ? [caller.projectId]
      : caller.organizations.flatMap((organization) => organization.projects.map(({ id }) => id));
  if (wanted === undefined) return caller.credential === 'token' && projects.length === 1 ? projects[0] : undefined;
  if (!projects.includes(wanted)) throw new Misuse(`there is no project ${visible(wanted)} for this credential; give its id`);
  return wanted;
}

function isUnencrypted(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'));
  return protocol === 'http:' && !isLoopback;
}
