import { isUuid } from '../../../contract/uuid.ts';
import { Option } from 'commander';
import type { Command } from 'commander';
import type { ClientConfig } from '../../../client-config.ts';
import { readLogin } from './login-file.ts';
import type { Login } from './login-file.ts';
import { Misuse } from './refusal.ts';
import { openServiceClient } from './service-client.ts';
import type { ServiceClient } from './service-client.ts';

/** Options of every command that speaks to a running service. */
export interface ServiceFlags {
  url?: string;
  key?: string;
  token?: string;
  project?: string;
  json?: boolean;
}

/** A running service, with the credential that a command uses. */
export interface Service {
  client: ServiceClient;
  /** An API key belongs to one project; a personal access token acts for its user. */
  credential: 'key' | 'token';
  /** The id of the project that is meant. Errors: {@link Misuse} where a token needs one; those of the client. */
  project(): Promise<string>;
  /** A path outside of `/v1/projects/{id}` with the project, which a token needs and a key implies. Errors: as `project`. */
  inProject(path: string): Promise<string>;
}

/** A service, and the project that is meant. */
export interface ProjectClient {
  client: ServiceClient;
  project: string;
  /** A path below `/v1/projects/{id}`. */
  path(rest: string): string;
}

interface Wanted {
  /** `token`: the routes of the command refuse API keys. */
  accepts?: 'token' | 'either';
  /** What to correct, by status. */
  hints?: Readonly<Record<number, string>>;
  /** The project where neither option, variable nor login names one. */
  project?: string | undefined;
}

/** What a personal access token begins with. */
export const tokenPrefix = 'spwu_';

const credentialHints = {
  401: 'Set SPANWISE_API_KEY to an API key of the project, or SPANWISE_TOKEN to a personal access token.',
  403: 'Use a token of a user who may do this, or an API key of the project.',
};

/**
 * Adds the options that say which service is meant, and `--json`.
 *
 * @param command `takesKey`: whether an API key can be used; else help does not name it
 */
export function withServiceOptions(command: Command, { takesKey = true }: { takesKey?: boolean } = {}): Command {
  const key = new Option('--key <key>', 'an API key of the project; default: SPANWISE_API_KEY').conflicts('token');
  return command
    .option('--json', 'print JSON')
    .option('--url <url>', 'where the service is; default: SPANWISE_URL, else that of spanwise login, else this machine')
    .addOption(takesKey ? key : key.hideHelp())
    .option('--token <token>', 'a personal access token; default: SPANWISE_TOKEN, else that of spanwise login')
    .option(
      '--project <id>',
      'the project, by id or slug; default: SPANWISE_PROJECT, else that of the API key or of spanwise login',
    );
}

/**
 * The service and the credential that options, environment and login name, in this order (docs/cli.md, "Service and credential").
 *
 * Errors: {@link Misuse} where there is no credential, for a URL that is none and for a login file that cannot be read.
 */
export async function findService(
  flags: ServiceFlags,
  environment: ClientConfig,
  { accepts = 'either', hints = credentialHints, project: byDefault }: Wanted = {},
): Promise<Service> {
  const named = credentialOf(flags, environment, accepts);
  const givenUrl = flags.url ?? environment.url;
  const login = named === null || givenUrl === null ? await readLogin(environment.loginFile) : null;
  const url = givenUrl ?? login?.url ?? environment.urlOfThisMachine;
  // A kept credential is never sent to another service than the one that it was made for.
  const isLoginsService = login !== null && isSameOrigin(url, login.url);
  const secret = named ?? (isLoginsService ? (login.token ?? (accepts === 'token' ? null : login.key) ?? null) : null);
  if (secret === null) throw new Misuse(missingCredential(accepts, login, url));
  const client = openServiceClient({ url, credential: secret, hints, urlOption: '--url or SPANWISE_URL' });
  const credential = secret.startsWith(tokenPrefix) ? 'token' : 'key';
  const project = flags.project ?? environment.project ?? byDefault ?? (named === null ? login?.project : undefined);
  const projectId = async () => {
    if (project !== undefined) return isUuid(project) || credential === 'key' ? project : projectOfSlug(client, project);
    if (credential === 'key') return projectOfKey(client);
    throw new Misuse('give the id of the project with --project, or set SPANWISE_PROJECT; spanwise whoami lists the projects');
  };
  return {
    client,
    credential,
    project: projectId,
    async inProject(path) {
      if (credential === 'key' && project === undefined) return path;
      return `${path}${path.includes('?') ? '&' : '?'}projectId=${encodeURIComponent(await projectId())}`;
    },
  };
}

/** As {@link findService}, with the project. Errors: as `findService` and `Service.project`. */
export async function findProject(flags: ServiceFlags, environment: ClientConfig, wanted: Wanted = {}): Promise<ProjectClient> {
  const { client, project: projectOf } = await findService(flags, environment, wanted);
  const project = await projectOf();
  return { client, project, path: (rest) => `/v1/projects/${encodeURIComponent(project)}${rest}` };
}

/** A key comes before a token, and an option before a variable. Where a token is needed, a key counts only if it was given for this command. */
function credentialOf({ key, token }: ServiceFlags, environment: ClientConfig, accepts: Wanted['accepts']): string | null {
  if (accepts === 'token') return token ?? key ?? environment.token;
  return key ?? token ?? environment.apiKey ?? environment.token;
}

function missingCredential(accepts: Wanted['accepts'], login: Login | null, url: string): string {
  const where = login !== null && !isSameOrigin(url, login.url) ? `; the login is for ${login.url}, not for ${url}` : '';
  return accepts === 'token'
    ? `set SPANWISE_TOKEN to a personal access token, give it with --token, or run spanwise login${where}`
    : `set SPANWISE_API_KEY to an API key of the project, give it with --key, or run spanwise login${where}`;
}

function isSameOrigin(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}

async function projectOfKey(client: ServiceClient): Promise<string> {
  const { projectId } = await client.json<{ projectId: string }>('GET', '/v1/sdk/whoami');
  return projectId;
}

/** The id of the user's project with a slug. Errors: {@link Misuse} where several organizations have one; an unknown slug is left to the service. */
async function projectOfSlug(client: ServiceClient, slug: string): Promise<string> {
  interface Session {
    organizations: Array<{ slug: string; projects: Array<{ id: string; slug: string }> }>;
  }
  const { organizations } = await client.json<Session>('GET', '/v1/auth/session');
  const found = organizations.flatMap(({ projects }) => projects.filter((project) => project.slug === slug));
  if (found.length > 1) throw new Misuse(`several organizations have a project ${slug}; give its id with --project`);
  return found[0]?.id ?? slug;
}
