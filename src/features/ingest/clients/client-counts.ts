import type { Dropped, Sender } from './sender.ts';

/** Events of one client and outcome on one day. */
export interface ClientRow {
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  kind: Sender['kind'];
  client: string;
  version: string;
  scope: string;
  /** `''`: accepted; else the code with which they were rejected. */
  code: string;
  events: number;
  /** Epoch milliseconds. */
  lastSeenMs: number;
}

/** An instance of an SDK client. */
export interface InstanceRow extends Dropped {
  id: string;
  client: string;
  version: string;
  lastSeenMs: number;
}

/** What is counted of a project. */
export interface ProjectCounts {
  rows: Map<string, ClientRow>;
  instances: Map<string, InstanceRow>;
}

/** Rows and instances of a project; further ones are counted as those of the client `other`, and not kept. */
const maxRows = 200;
const maxInstances = 200;
/** Projects with counts in memory; the counts of others are left out. */
const maxProjects = 5_000;

/** The name under which clients beyond the limits are counted. */
const otherClient = 'other';

/** Counts of clients by project, in memory. */
export class ClientCounts {
  #projects = new Map<string, ProjectCounts>();

  get isEmpty(): boolean {
    return this.#projects.size === 0;
  }

  /** Adds events. Of an instance the largest counts are kept, since requests may arrive in any order. */
  add(projectId: string, row: ClientRow, instance: InstanceRow | null): void {
    const project = this.#project(projectId);
    if (!project) return;
    addRow(project.rows, row);
    if (instance) addInstance(project.instances, instance);
  }

  /** Adds the counts that were taken and could not be written. */
  putBack(projectId: string, { rows, instances }: ProjectCounts): void {
    const project = this.#project(projectId);
    if (!project) return;
    for (const row of rows.values()) addRow(project.rows, row);
    for (const instance of instances.values()) addInstance(project.instances, instance);
  }

  /** Removes and returns the counts of a project; without one, of all. */
  take(projectId?: string): Map<string, ProjectCounts> {
    const all = this.#projects;
    if (projectId === undefined) {
      this.#projects = new Map();
      return all;
    }
    const counts = all.get(projectId);
    all.delete(projectId);
    return new Map(counts ? [[projectId, counts]] : []);
  }

  #project(projectId: string): ProjectCounts | null {
    const known = this.#projects.get(projectId);
    if (known) return known;
    if (this.#projects.size >= maxProjects) return null;
    const project = { rows: new Map(), instances: new Map() };
    this.#projects.set(projectId, project);
    return project;
  }
}

function addRow(rows: Map<string, ClientRow>, row: ClientRow): void {
  const key = rowKey(row);
  if (rows.has(key) || rows.size < maxRows || isOther(row)) mergeRow(rows, row, key);
  else mergeRow(rows, asOther(row));
}

/** Adds a row to that of its key. */
export function mergeRow(rows: Map<string, ClientRow>, row: ClientRow, key = rowKey(row)): void {
  const known = rows.get(key);
  if (known) {
    known.events += row.events;
    known.lastSeenMs = Math.max(known.lastSeenMs, row.lastSeenMs);
  } else rows.set(key, { ...row });
}

/** The client and outcome of a row, and its day. */
export function rowKey({ day, kind, client, version, scope, code }: ClientRow): string {
  return JSON.stringify([day, kind, client, version, scope, code]);
}

/** The row under {@link otherClient}: one for each kind, day and outcome. */
export function asOther(row: ClientRow): ClientRow {
  return { ...row, client: otherClient, version: '', scope: '' };
}

/** Whether a row is that of {@link asOther}; a client of that name may have a version. */
export function isOther({ client, version, scope }: ClientRow): boolean {
  return client === otherClient && version === '' && scope === '';
}

function addInstance(instances: Map<string, InstanceRow>, instance: InstanceRow): void {
  const known = instances.get(instance.id);
  if (known) mergeInstance(known, instance);
  else if (instances.size < maxInstances) instances.set(instance.id, { ...instance });
}

function mergeInstance(known: InstanceRow, { queueFull, tooOld, refused, lastSeenMs }: InstanceRow): void {
  known.queueFull = Math.max(known.queueFull, queueFull);
  known.tooOld = Math.max(known.tooOld, tooOld);
  known.refused = Math.max(known.refused, refused);
  known.lastSeenMs = Math.max(known.lastSeenMs, lastSeenMs);
}
