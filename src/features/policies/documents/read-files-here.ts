import type { PolicyFile } from '../../../contract/policies.ts';
import type { FilesRead } from './files-read.ts';

/**
 * Reads policy files in this thread, for the command line. The parser is loaded when it is called: the service reads files in a thread, and need not
 * hold it twice.
 */
export async function readFilesHere(files: readonly PolicyFile[]): Promise<FilesRead> {
  const { readPolicyFiles } = await import('./read-files.ts');
  return readPolicyFiles(files);
}
