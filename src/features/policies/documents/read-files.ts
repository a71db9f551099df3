import { maxEnvironments } from '../../../contract/environments.ts';
import { maxGuardrails } from '../../../contract/guardrails.ts';
import type { PolicyFault, PolicyFile, PolicyKind } from '../../../contract/policies.ts';
import { compareCodePoints } from '../../../platform/text/index.ts';
import type { Specification } from '../../policy-revisions/index.ts';
import { Expansion } from './expansion.ts';
import { LineTable } from './line-table.ts';
import { readDocument } from './read-document.ts';
import type { Reference } from './read-document.ts';
import { faultsOfText, readYaml } from './yaml-tree.ts';
import type { TextFault } from './placed.ts';

/** Errors in one answer. */
export const maxFaults = 100;

/** A policy with the file that it stands in. */
export type FilePolicy = Specification & { path: string };

/** What a guardrail of the files names that the files do not have, with its place. */
export interface MissingReference {
  kind: Reference['kind'];
  name: string;
  path: string;
  line: number;
  column: number;
}

/** What files say. */
export interface FilesRead {
  /** By path, then in the order of the file. Complete if there are no faults. */
  policies: FilePolicy[];
  /** The first 100, by path, line and column. */
  faults: PolicyFault[];
  /** Whoever knows the project says whether it has them. */
  references: MissingReference[];
}

/** Whether a file holds test cases, which are no policies. */
export function isTestFile(path: string): boolean {
  return path.startsWith('tests/');
}

/**
 * Reads policy files. Pure: nothing outside of the files is known.
 *
 * @param onFile called before each file is read
 */
export function readPolicyFiles(files: readonly PolicyFile[], onFile: (path: string) => void = () => undefined): FilesRead {
  const reading = new Reading();
  for (const file of files.toSorted((left, right) => compareCodePoints(left.path, right.path))) {
    onFile(file.path);
    reading.file(file);
  }
  return reading.result();
}

/** The first faults, by path, line and column. */
export function firstFaults(faults: readonly PolicyFault[]): PolicyFault[] {
  return faults
    .toSorted((left, right) => compareCodePoints(left.path, right.path) || left.line - right.line || left.column - right.column)
    .slice(0, maxFaults);
}

class Reading {
  readonly #policies: FilePolicy[] = [];
  readonly #references: MissingReference[] = [];
  readonly #names = new Map<string, { path: string; line: number }>();
  readonly #environments = new Set<string>();
  readonly #expansion = new Expansion();
  #faults: PolicyFault[] = [];
  #guardrails = 0;

  file({ path, content }: PolicyFile): void {
    const lines = new LineTable(content);
    const faults: TextFault[] = faultsOfText(content);
    if (!isTestFile(path)) {
      const tree = readYaml(content, this.#expansion);
      faults.push(...tree.faults);
      // What could not be read is missing in the tree; that is no further fault of its place.
      const unread = new Set(tree.faults.map(({ offset }) => offset));
      for (const document of tree.documents) {
        const read = readDocument(document);
        faults.push(...read.faults.filter(({ offset }) => !unread.has(offset)));
        if (read.policy) this.#policies.push({ ...read.policy, path });
        if (read.named) {
          const message = this.#name(read.named, { path, line: lines.at(read.named.offset).line });
          if (message !== null) faults.push({ offset: read.named.offset, message });
        }
        for (const { kind, name, offset } of read.references) this.#references.push({ kind, name, path, ...lines.at(offset) });
      }
    }
    const placed = faults.map(({ offset, message }) => ({ path, ...lines.at(offset), message: message.toWellFormed() }));
    this.#faults = firstFaults([...this.#faults, ...firstFaults(placed)]);
  }

  result(): FilesRead {
    const references = this.#references.filter(({ kind, name }) => kind === 'connection' || !this.#environments.has(name));
    return { policies: this.#policies, faults: this.#faults, references };
  }

  /** Notes a name; what is wrong with it, or null. */
  #name({ kind, name }: { kind: PolicyKind; name: string }, place: { path: string; line: number }): string | null {
    const key = `${kind} ${name}`;
    const first = this.#names.get(key);
    if (first)
      return `There are two ${kind}s named ${JSON.stringify(name.slice(0, 80))}; the first is in ${first.path}, line ${first.line}.`;
    this.#names.set(key, place);
    if (kind === 'Environment') this.#environments.add(name);
    else this.#guardrails += 1;
    const [count, most] = kind === 'Environment' ? [this.#environments.size, maxEnvironments] : [this.#guardrails, maxGuardrails];
    return count > most ? `A project has at most ${most} ${kind.toLowerCase()}s. Remove some.` : null;
  }
}
