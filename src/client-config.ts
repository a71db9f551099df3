import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Variables of the commands that talk to a running service. The service itself does not read them. */
export interface ClientConfig {
  /** `SPANWISE_URL`: where the service is. */
  url: string | null;
  /** `SPANWISE_TOKEN`: a personal access token. */
  token: string | null;
  /** `SPANWISE_API_KEY`: the API key of a project, instead of a token. */
  apiKey: string | null;
  /** `SPANWISE_PROJECT`: the id of the project. */
  project: string | null;
  /** Whether `NO_COLOR` leaves colours on. */
  colors: boolean;
  /** Where a service runs that is started with these variables: `SPANWISE_PUBLIC_URL`, else this machine at `SPANWISE_PORT`. */
  urlOfThisMachine: string;
  /** The file in which `spanwise login` keeps URL and credential. */
  loginFile: string;
  /** `GITHUB_STEP_SUMMARY`: the file in which GitHub Actions collects what a step shows. */
  stepSummary: string | null;
  /** `INIT_CWD`: where npm was started. `npm --prefix` runs the program in the folder of its package instead. */
  startedIn: string | null;
}

/** Reads the variables of the commands that talk to a running service. An empty one counts as absent. */
export function readClientConfig(
  environment: Readonly<Record<string, string | undefined>>,
  workingDirectory: string = process.cwd(),
): ClientConfig {
  const given = (name: string) => environment[name] || null;
  return {
    url: given('SPANWISE_URL'),
    token: given('SPANWISE_TOKEN'),
    apiKey: given('SPANWISE_API_KEY'),
    project: given('SPANWISE_PROJECT'),
    colors: given('NO_COLOR') === null,
    urlOfThisMachine: given('SPANWISE_PUBLIC_URL') ?? `http://127.0.0.1:${given('SPANWISE_PORT') ?? '4318'}`,
    loginFile: join(configDirectory(environment), 'spanwise', 'config.json'),
    stepSummary: given('GITHUB_STEP_SUMMARY'),
    // Where the working directory is not the package's, npm has not changed it.
    startedIn: given('npm_config_local_prefix') === workingDirectory ? given('INIT_CWD') : null,
  };
}

/** The directory of the XDG base directory specification, by which a relative path is ignored. */
function configDirectory({ XDG_CONFIG_HOME: given, HOME: home }: Readonly<Record<string, string | undefined>>): string {
  return given !== undefined && isAbsolute(given) ? given : join(home || homedir(), '.config');
}

/** The variables of this process for commands that talk to a running service. */
export function clientConfigOfProcess(): ClientConfig {
  return readClientConfig(process.env);
}
