import type { PolicyFile } from '../../api/policies.ts';
import { countedExactly, formatBytes, formatExact } from '../../format/number-format.ts';
import { policyLimits } from '../../../../src/contract/limits.ts';

const { files: maxFiles, fileBytes: maxFileBytes, totalBytes: maxTotalBytes } = policyLimits;

/** A file that was dropped or chosen, not read yet. */
export interface FoundFile {
  /** `/`-separated, from the folder that was chosen or dropped, with the folder's name. */
  path: string;
  /** Bytes. */
  size: number;
  read(): Promise<ArrayBuffer>;
}

/** The files of a selection that are policies, and why they cannot be sent. */
export interface ChosenFiles {
  files: readonly FoundFile[];
  /** YAML files below `tests/`: cases of `spanwise policy test`, which are not sent. */
  tests: number;
  /** Files that are not YAML. */
  ignored: number;
  /** One sentence each; empty if the files are within the limits. */
  problems: readonly string[];
}

const isPolicy = ({ path }: FoundFile) => /\.ya?ml$/.test(path);

/**
 * Selects the YAML files and checks the limits. If a single folder was chosen, paths begin inside it, as in `spanwise policy plan DIR`.
 *
 * @param found one entry a path; entries of files that are not YAML are counted only
 */
export function chooseFiles(found: readonly FoundFile[]): ChosenFiles {
  const yaml = found.filter(isPolicy);
  const root = commonFolder(found);
  const files = yaml
    .map((file) => ({ ...file, path: file.path.slice(root.length) }))
    .filter(({ path }) => !path.startsWith('tests/'))
    .sort((left, right) => (left.path < right.path ? -1 : left.path > right.path ? 1 : 0));
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const problems = [
    ...(files.length === 0 ? ['No .yaml or .yml files found. Choose the folder that holds your policy files.'] : []),
    ...(files.length > maxFiles
      ? [`${formatExact(files.length)} files; the maximum is ${maxFiles}. Put several documents into a file.`]
      : []),
    ...files
      .filter(({ size }) => size > maxFileBytes)
      .slice(0, 5)
      .map(({ path, size }) => `${path} has ${formatBytes(size)}; the maximum for a file is 256 KiB. Split it.`),
    ...(total > maxTotalBytes ? [`The files have ${formatBytes(total)} in total; the maximum is 1 MiB.`] : []),
    ...repeatedPaths(files).map((path) => `${path} is there twice. Choose it from one folder only.`),
  ];
  return { files, tests: yaml.length - files.length, ignored: found.length - yaml.length, problems };
}

/** `policies/` if every path begins with this folder, else an empty text. */
function commonFolder(found: readonly FoundFile[]): string {
  const first = /^[^/]+\//.exec(found[0]?.path ?? '')?.[0] ?? '';
  return found.every(({ path }) => path.startsWith(first)) ? first : '';
}

function repeatedPaths(files: readonly FoundFile[]): string[] {
  const paths = files.map(({ path }) => path);
  return [...new Set(paths.filter((path, index) => paths.indexOf(path) !== index))].slice(0, 5);
}

/**
 * Reads the files as they are, byte order marks included.
 *
 * @throws {Error} with a sentence for the viewer if a file is gone or is not UTF-8
 */
export function readFiles(files: readonly FoundFile[]): Promise<PolicyFile[]> {
  return Promise.all(
    files.map(async ({ path, read }) => {
      const bytes = await read().catch(() => {
        throw new Error(`${path} can't be read. Choose the files again.`);
      });
      try {
        return { path, content: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
      } catch {
        throw new Error(`${path} is not UTF-8. Save it in this encoding.`);
      }
    }),
  );
}

/** `3 files, 4.2 kB` and what was left out. */
export function filesText({ files, tests, ignored }: ChosenFiles): string {
  const size = formatBytes(files.reduce((sum, file) => sum + file.size, 0));
  return [
    `${countedExactly(files.length, 'file')}, ${size}`,
    ...(tests === 0 ? [] : [`${countedExactly(tests, 'test file')} skipped`]),
    ...(ignored === 0 ? [] : [`${countedExactly(ignored, 'other file')} ignored`]),
  ].join(' · ');
}
