import type { WrittenSpans } from '../pipeline-port.ts';

/** Maximum spans that one segment keeps in memory; each takes some 500 bytes. */
const maxSpans = 65_536;

/** The spans of a segment for span consumers, kept from the build of its batches, so that the segment need not be read and decoded again. */
export class BuiltSpans {
  readonly #byProject: Map<string, WrittenSpans[]>;
  #count = 0;

  /** @param projectIds whose spans are kept */
  constructor(projectIds: Iterable<string>) {
    this.#byProject = new Map([...projectIds].map((projectId) => [projectId, []]));
  }

  /** Number of spans kept. */
  get count(): number {
    return this.#count;
  }

  get projectIds(): string[] {
    return [...this.#byProject.keys()];
  }

  /** Adds the spans of a batch. Above {@link maxSpans} spans all are dropped. */
  add(written: readonly WrittenSpans[]): void {
    for (const ofProject of written) {
      const batches = this.#byProject.get(ofProject.projectId);
      batches?.push(ofProject);
      if (batches) this.#count += ofProject.spans.length;
    }
    if (this.#count > maxSpans) this.clear();
  }

  /** Drops all spans, now and later: consumers read them from the segment. */
  clear(): void {
    this.#byProject.clear();
    this.#count = 0;
  }

  /** Whether the spans of a project are kept, also when there are none. */
  has(projectId: string): boolean {
    return this.#byProject.has(projectId);
  }

  /** The spans of a project in order of arrival; null when none are kept. */
  of(projectId: string): WrittenSpans | null {
    const batches = this.#byProject.get(projectId) ?? [];
    if (batches.length === 0) return null;
    return {
      projectId,
      spans: batches.flatMap(({ spans }) => spans),
      receivedMs: Math.max(...batches.map(({ receivedMs }) => receivedMs)),
    };
  }
}
