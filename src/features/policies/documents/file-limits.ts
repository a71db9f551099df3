import { ServiceError } from '../../../contract/errors.ts';
import { policyLimits } from '../../../contract/limits.ts';
import type { PolicyFile } from '../../../contract/policies.ts';

/** Bytes of a path as JSON: an audit entry of at most 64 KiB lists the paths and hashes of 200 files. */
const maxPathBytes = 200;

/** Checks the number, size and paths of files. Errors: `payload_too_large`; `invalid_request`, with the paths of the faults. */
export function checkFiles(files: readonly PolicyFile[]): void {
  const { files: most, fileBytes, totalBytes } = policyLimits;
  if (files.length > most) throw tooLarge(`There are more than ${most} files; put several policies into one file.`);
  let total = 0;
  for (const { path, content } of files) {
    const bytes = Buffer.byteLength(content);
    total += bytes;
    if (bytes > fileBytes) {
      throw tooLarge(
        `The file ${path.slice(0, maxPathBytes)} has more than ${fileBytes / 1024} KiB; divide it into several files.`,
      );
    }
  }
  if (total > totalBytes)
    throw tooLarge(`The files have more than ${totalBytes / 1_048_576} MiB together; remove what is not needed.`);
  const seen = new Set<string>();
  const details = files.flatMap(({ path }, index) => {
    const message = seen.has(path) ? 'is there twice' : faultOfPath(path);
    seen.add(path);
    return message === null ? [] : [{ path: `/files/${index}/path`, message }];
  });
  const [first] = details;
  if (first)
    throw new ServiceError('invalid_request', `Correct the paths of the files: ${first.path} ${first.message}.`, { details });
}

function faultOfPath(path: string): string | null {
  if (!/\.ya?ml$/.test(path)) return 'must end in .yaml or .yml';
  if (/[\p{Cc}\p{Cs}\\]/u.test(path)) return 'must not have backslashes, control characters or unpaired surrogates';
  if (/^[A-Za-z]:/.test(path)) return 'must be relative';
  if (path.split('/').some((part) => part === '' || part === '.' || part === '..')) {
    return 'must be relative, without empty, "." or ".." parts';
  }
  return Buffer.byteLength(JSON.stringify(path)) > maxPathBytes ? `must have at most ${maxPathBytes - 2} bytes` : null;
}

function tooLarge(message: string): ServiceError {
  return new ServiceError('payload_too_large', message);
}
