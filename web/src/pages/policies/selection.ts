import type { PolicyFile } from '../../api/policies.ts';
import { chooseFiles, filesText, readFiles } from './chosen-files.ts';
import type { FoundFile } from './chosen-files.ts';

/** Files that the viewer chose, read. */
export interface Selection {
  /** Tells selections apart. */
  id: number;
  /** Empty if there are problems. */
  files: readonly PolicyFile[];
  /** Number and size. */
  text: string;
  /** Why the files cannot be sent. */
  problems: readonly string[];
}

let count = 0;

/** Checks and reads found files. Never rejects: what fails is a problem of the selection. */
export async function select(found: readonly FoundFile[]): Promise<Selection> {
  count += 1;
  const id = count;
  const chosen = chooseFiles(found);
  const text = filesText(chosen);
  if (chosen.problems.length > 0) return { id, files: [], text, problems: chosen.problems };
  try {
    return { id, files: await readFiles(chosen.files), text, problems: [] };
  } catch (error) {
    return { id, files: [], text, problems: [error instanceof Error ? error.message : 'The files can’t be read.'] };
  }
}
