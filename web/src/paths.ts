/** The organisation and project of a page, by their slugs. */
export interface ProjectPath {
  org: string;
  project: string;
}

/** Sections of the settings. */
export const settingsSections = ['keys', 'members', 'tokens', 'organization'] as const;
export type SettingsSection = (typeof settingsSections)[number];

const projectRoot = '/o/$org/p/$project';

/** Every page, as the router's links take it. */
export const pages = {
  home: () => ({ to: '/' }) as const,
  signIn: () => ({ to: '/sign-in' }) as const,
  overview: (at: ProjectPath) => ({ to: projectRoot, params: { ...at } }) as const,
  start: (at: ProjectPath) => ({ to: `${projectRoot}/start`, params: { ...at } }) as const,
  traces: (at: ProjectPath) => ({ to: `${projectRoot}/traces`, params: { ...at } }) as const,
  trace: (at: ProjectPath, traceId: string) => ({ to: `${projectRoot}/traces/$traceId`, params: { ...at, traceId } }) as const,
  sessions: (at: ProjectPath) => ({ to: `${projectRoot}/sessions`, params: { ...at } }) as const,
  session: (at: ProjectPath, sessionId: string) =>
    ({ to: `${projectRoot}/sessions/$sessionId`, params: { ...at, sessionId } }) as const,
  models: (at: ProjectPath) => ({ to: `${projectRoot}/models`, params: { ...at } }) as const,
  model: (at: ProjectPath, model: string) => ({ to: `${projectRoot}/models/$model`, params: { ...at, model } }) as const,
  settings: (at: ProjectPath, section: SettingsSection) =>
    ({ to: `${projectRoot}/settings/$section`, params: { ...at, section } }) as const,
};

/** Query parameters; what is undefined is left out. */
export type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

function url(segments: readonly string[], parameters: Parameters = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value));
  const text = query.toString();
  return `/v1/${segments.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}

/** Every route of the service that the dashboard calls. */
export const endpoints = {
  login: () => url(['auth', 'login']),
  logout: () => url(['auth', 'logout']),
  session: () => url(['auth', 'session']),
  tokens: (parameters?: Parameters) => url(['me', 'tokens'], parameters),
  token: (id: string) => url(['me', 'tokens', id]),
  organizations: () => url(['organizations']),
  organization: (id: string) => url(['organizations', id]),
  projects: (organizationId: string) => url(['organizations', organizationId, 'projects']),
  members: (organizationId: string, parameters?: Parameters) => url(['organizations', organizationId, 'members'], parameters),
  member: (organizationId: string, userId: string) => url(['organizations', organizationId, 'members', userId]),
  apiKeys: (projectId: string, parameters?: Parameters) => url(['projects', projectId, 'api-keys'], parameters),
  apiKey: (projectId: string, keyId: string) => url(['projects', projectId, 'api-keys', keyId]),
  rotateApiKey: (projectId: string, keyId: string) => url(['projects', projectId, 'api-keys', keyId, 'rotate']),
  ingestHealth: (projectId: string) => url(['projects', projectId, 'ingest-health']),
  traces: (projectId: string, parameters?: Parameters) => url(['projects', projectId, 'traces'], parameters),
  trace: (projectId: string, traceId: string) => url(['projects', projectId, 'traces', traceId]),
  sessions: (projectId: string, parameters?: Parameters) => url(['projects', projectId, 'sessions'], parameters),
  sessionDetail: (projectId: string, sessionId: string) => url(['projects', projectId, 'sessions', sessionId]),
  models: (projectId: string, parameters?: Parameters) => url(['projects', projectId, 'models'], parameters),
  model: (projectId: string, model: string, parameters?: Parameters) => url(['projects', projectId, 'models', model], parameters),
};
