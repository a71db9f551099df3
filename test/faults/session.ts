import type { Service } from '../support/service.ts';

type Json = ReturnType<typeof JSON.parse>;
/** null: the process was killed before it answered. */
export type Answer = { status: number; body: Json } | null;

/** The administrator's requests to a service that may be killed at any moment. */
export interface Session {
  /** The path is below `/v1/projects/{id}`. */
  project(method: string, path: string, body?: object): Promise<Answer>;
  /** The body of a GET below `/v1/organizations/{id}`. */
  organization(path: string): Promise<Json>;
}

/** Signs the administrator in. */
export async function openSession(service: Service): Promise<Session> {
  const { cookie, projectId, organizationId } = await service.signIn();
  const call = async (method: string, path: string, body?: object): Promise<Answer> => {
    const headers = { cookie, ...(body && { 'content-type': 'application/json' }) };
    try {
      const answer = await fetch(`${service.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
    } catch {
      return null;
    }
  };
  return {
    project: (method, path, body) => call(method, `/v1/projects/${projectId}${path}`, body),
    organization: async (path) => (await call('GET', `/v1/organizations/${organizationId}${path}`))?.body,
  };
}
