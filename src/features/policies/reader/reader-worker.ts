import type { PolicyFile } from '../../../contract/policies.ts';
import { serveParent } from '../../../platform/thread-rpc/index.ts';
import type { Specification } from '../../policy-revisions/index.ts';
import { readPolicyFiles } from '../documents/read-files.ts';
import type { FilesRead } from '../documents/files-read.ts';
import { renderedFiles } from '../pull/rendered-files.ts';

/** The functions of the thread. */
export interface ReaderFunctions {
  /** Resolves when the libraries are loaded; time limits start then. */
  ready(): void;
  read(files: readonly PolicyFile[]): FilesRead;
  render(policies: readonly Specification[], taken: readonly string[]): PolicyFile[];
}

/** Calls from the thread to its parent. */
export interface ReaderParent {
  /** A file is about to be read. */
  reading(path: string): void;
}

serveParent<ReaderFunctions, ReaderParent>((parent) => ({
  ready: () => undefined,
  read: (files) => readPolicyFiles(files, (path) => parent.notify('reading', path)),
  render: renderedFiles,
}));
