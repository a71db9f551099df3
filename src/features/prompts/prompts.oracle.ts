/** A simple model of prompts in memory (docs/semantics.md, "Prompts"), with which the service is compared. */
export interface ModelVersion {
  version: number;
  prompt: string;
  /** Has never had a label, and was proposed. */
  proposal: boolean;
}

interface ModelFamily {
  versions: ModelVersion[];
  labels: Map<string, number>;
  tags: string[];
  folder: string | null;
}

export interface ModelRecord {
  name: string;
  version: number;
  prompt: string;
  labels: string[];
  tags: string[];
  folder: string | null;
  proposal: boolean;
  resolvedPrompt: string | null;
}

/** The answer to a request: a status, and a body if there is one. */
export type ModelAnswer = { status: number; body?: unknown };

const deepest = 10;

/** Names in the test are short words, so a simple pattern finds references. */
const referencePattern = /\{\{> (\w+)(?:@(\w+)|#(\d+))? \}\}/g;

/** The version of `latest`: the newest that is no proposal. */
function latestOf(family: ModelFamily | undefined): number | undefined {
  return family?.versions.findLast(({ proposal }) => !proposal)?.version;
}

export class PromptsModel {
  #families = new Map<string, ModelFamily>();

  create(
    name: string,
    prompt: string,
    { labels = [], tags, folder }: Partial<Pick<ModelRecord, 'labels' | 'tags' | 'folder'>>,
  ): ModelAnswer {
    return this.#orNothing(() => {
      const family: ModelFamily = this.#families.get(name) ?? { versions: [], labels: new Map(), tags: [], folder: null };
      this.#families.set(name, family);
      const version = family.versions.length + 1;
      family.versions.push({ version, prompt, proposal: false });
      if (tags) family.tags = tags;
      if (folder !== undefined) family.folder = folder;
      for (const label of labels) family.labels.set(label, version);
      if (this.#resolve(name, version, []) === null) return { status: 400 };
      return { status: 201, body: this.#record(name, version) };
    });
  }

  /** A version that a model proposes for the current one. */
  propose(name: string, prompt: string): ModelAnswer {
    return this.#orNothing(() => {
      const family = this.#families.get(name);
      if (!family) return { status: 404 };
      const version = family.versions.length + 1;
      family.versions.push({ version, prompt, proposal: true });
      return this.#resolve(name, version, []) === null ? { status: 400 } : { status: 201, body: { version } };
    });
  }

  label(name: string, version: number, labels: string[]): ModelAnswer {
    return this.#orNothing(() => {
      const family = this.#families.get(name);
      const labelled = family?.versions[version - 1];
      if (!family || !labelled) return { status: 404 };
      if (labels.length > 0) labelled.proposal = false;
      const moves = labels.some((label) => family.labels.get(label) !== version);
      for (const label of labels) family.labels.set(label, version);
      if (moves && this.#resolve(name, version, []) === null) return { status: 400 };
      return { status: 200, body: this.#versions(name) };
    });
  }

  tag(name: string, tags: string[]): ModelAnswer {
    const family = this.#families.get(name);
    if (!family) return { status: 404 };
    family.tags = tags;
    return { status: 200, body: this.#versions(name) };
  }

  move(name: string, folder: string | null): ModelAnswer {
    const family = this.#families.get(name);
    if (!family) return { status: 404 };
    family.folder = folder;
    return { status: 200, body: { success: true, folder, updatedCount: family.versions.length } };
  }

  delete(name: string): ModelAnswer {
    if (!this.#families.has(name)) return { status: 404 };
    for (const [other, { versions }] of this.#families) {
      const texts = versions.map(({ prompt }) => prompt);
      const refers = texts.some((text) => [...text.matchAll(referencePattern)].some(([, target]) => target === name));
      if (other !== name && refers) return { status: 409 };
    }
    this.#families.delete(name);
    return { status: 204 };
  }

  fetch(name: string, { version, label }: { version?: number; label?: string }): ModelAnswer {
    const found = this.#find(name, version, label);
    if (found === undefined) return { status: 404 };
    const record = this.#record(name, found);
    return record.resolvedPrompt === null ? { status: 409 } : { status: 200, body: record };
  }

  versions(name: string): ModelAnswer {
    return this.#families.has(name) ? { status: 200, body: this.#versions(name) } : { status: 404 };
  }

  list(): ModelRecord[] {
    const names = [...this.#families.keys()].toSorted();
    return names.map((name) => this.#record(name, latestOf(this.#families.get(name)) ?? 0));
  }

  folders(): string[] {
    return [...new Set([...this.#families.values()].flatMap(({ folder }) => folder ?? []))].toSorted();
  }

  #versions(name: string): ModelRecord[] {
    const versions = this.#families.get(name)?.versions ?? [];
    return versions.map(({ version }) => this.#record(name, version)).toReversed();
  }

  #record(name: string, version: number): ModelRecord {
    const family = this.#families.get(name);
    if (!family) throw new Error('no such family');
    const labels = [...family.labels].filter(([, on]) => on === version).map(([label]) => label);
    if (version === latestOf(family)) labels.push('latest');
    const stored = family.versions[version - 1];
    return {
      name,
      version,
      prompt: stored?.prompt ?? '',
      proposal: stored?.proposal ?? false,
      labels: labels.toSorted(),
      tags: family.tags,
      folder: family.folder,
      resolvedPrompt: this.#resolve(name, version, []),
    };
  }

  #find(name: string, version?: number, label?: string): number | undefined {
    const family = this.#families.get(name);
    if (version !== undefined) return family?.versions[version - 1]?.version;
    if (label !== undefined && label !== 'latest') return family?.labels.get(label);
    return label === undefined ? (family?.labels.get('production') ?? latestOf(family)) : latestOf(family);
  }

  /** null for a cycle, a missing reference, or too deep a chain. */
  #resolve(name: string, version: number, above: string[]): string | null {
    const here = `${name}#${version}`;
    if (above.includes(here) || above.length > deepest) return null;
    const text = this.#families.get(name)?.versions[version - 1]?.prompt ?? '';
    let failed = false;
    const resolved = text.replaceAll(referencePattern, (_, target: string, label?: string, number?: string) => {
      const found = this.#find(target, number === undefined ? undefined : Number(number), label);
      const inner = found === undefined ? null : this.#resolve(target, found, [...above, here]);
      failed ||= inner === null;
      return inner ?? '';
    });
    return failed ? null : resolved;
  }

  /** Reverts a refused change. */
  #orNothing(change: () => ModelAnswer): ModelAnswer {
    const before = structuredClone(this.#families);
    const answer = change();
    if (answer.status >= 400) this.#families = before;
    return answer;
  }
}
