import type { PolicyFault } from '../../../contract/policies.ts';
import { compareCodePoints } from '../../../platform/text/index.ts';
import type { Specification } from '../../policy-revisions/index.ts';
import type { Reference } from './read-document.ts';

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

/** The policies and errors of files. */
export interface FilesRead {
  /** By path, then in the order of the file. Complete if there are no faults. */
  policies: FilePolicy[];
  /** The first 100, by path, line and column. */
  faults: PolicyFault[];
  /** To be looked up in the project. */
  references: MissingReference[];
}

/** Whether a file holds test cases, which are no policies. */
export function isTestFile(path: string): boolean {
  return path.startsWith('tests/');
}

/** The first faults, by path, line and column. */
export function firstFaults(faults: readonly PolicyFault[]): PolicyFault[] {
  return faults
    .toSorted((left, right) => compareCodePoints(left.path, right.path) || left.line - right.line || left.column - right.column)
    .slice(0, maxFaults);
}
