import { maxEnvironments } from '../../../contract/environments.ts';
import { maxCompiledStates, maxGuardrails } from '../../../contract/guardrails.ts';
import type { PolicyFault, PolicyFile, PolicyKind } from '../../../contract/policies.ts';
import { compareCodePoints } from '../../../platform/text/index.ts';
import type { Specification } from '../../policy-revisions/index.ts';
import { firstFaults, isTestFile } from './files-read.ts';
import type { FilePolicy, FilesRead, MissingReference } from './files-read.ts';
import { Expansion } from './expansion.ts';
import { placesIn } from './places-in.ts';
import { readDocument } from './read-document.ts';
import { faultsOfText, readYaml } from './yaml-tree.ts';
import type { TextFault } from './placed.ts';

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

class Reading {
  readonly #policies: FilePolicy[] = [];
  readonly #references: MissingReference[] = [];
  readonly #names = new Map<string, { path: string; line: number }>();
  readonly #environments = new Set<string>();
  readonly #expansion = new Expansion();
  #faults: PolicyFault[] = [];
  #guardrails = 0;
  /** Whether a file has an error of syntax. */
  #isBroken = false;
  #states = 0;

  file({ path, content }: PolicyFile): void {
    const placeOf = placesIn(content);
    const faults: TextFault[] = faultsOfText(content);
    if (!isTestFile(path)) {
      const tree = readYaml(content, this.#expansion);
      if (tree.syntax.length > 0) {
        // Its documents are not what was meant: nothing is said of them, nor of what other files expect there.
        this.#isBroken = true;
        this.#place(path, placeOf, [...faults, ...tree.syntax]);
        return;
      }
      faults.push(...tree.faults);
      // What could not be read is missing in the tree; that is no further fault of its place.
      const unread = new Set(tree.faults.map(({ offset }) => offset));
      for (const document of tree.documents) {
        const read = readDocument(document);
        faults.push(...read.faults.filter(({ offset }) => !unread.has(offset)));
        if (read.policy) this.#policies.push({ ...read.policy, path });
        const tooLarge = read.policy && read.named && this.#tooLarge(read.policy);
        if (read.named && tooLarge) faults.push({ offset: read.named.offset, message: tooLarge });
        if (read.named) {
          const message = this.#name(read.named, { path, line: placeOf(read.named.offset).line });
          if (message !== null) faults.push({ offset: read.named.offset, message });
        }
        for (const { kind, name, offset } of read.references) this.#references.push({ kind, name, path, ...placeOf(offset) });
      }
    }
    this.#place(path, placeOf, faults);
  }

  #place(path: string, placeOf: ReturnType<typeof placesIn>, faults: readonly TextFault[]): void {
    const placed = faults.map(({ offset, message }) => ({ path, ...placeOf(offset), message: message.toWellFormed() }));
    this.#faults = firstFaults([...this.#faults, ...firstFaults(placed)]);
  }

  result(): FilesRead {
    const references = this.#isBroken
      ? []
      : this.#references.filter(({ kind, name }) => kind === 'connection' || !this.#environments.has(name));
    return { policies: this.#policies, faults: this.#faults, references };
  }

  /** Counts the states of a compiled guardrail; what is wrong with the first that is too many, or null. */
  #tooLarge(policy: Specification): string | null {
    const size = policy.kind === 'Guardrail' ? (policy.compiledSize ?? 0) : 0;
    const before = this.#states;
    this.#states += size;
    if (this.#states <= maxCompiledStates || before > maxCompiledStates) return null;
    return (
      `The guardrails of a project have at most ${maxCompiledStates} states together when compiled; this one has ${size}, ` +
      `and those before it ${before}. Use fewer or shorter patterns.`
    );
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
