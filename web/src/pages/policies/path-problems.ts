import { ApiError } from '../../api/client.ts';
import type { PolicyFile } from '../../api/policies.ts';

/** Problems shown; the rest is likely of the same kind. */
const maxProblems = 10;

/** What is wrong with the paths of files, one sentence a file; null if that is not what an error says. */
export function pathProblems(error: unknown, files: readonly PolicyFile[]): string[] | null {
  if (!(error instanceof ApiError) || error.code !== 'invalid_request') return null;
  const problems = error.details.flatMap(({ path, message }) => {
    const file = files[Number(/^\/files\/(\d+)\/path$/.exec(path)?.[1] ?? Number.NaN)];
    return file === undefined ? [] : [`The path ${file.path} ${message}.`];
  });
  return problems.length === 0 ? null : problems.slice(0, maxProblems);
}
