import { join } from 'node:path';
import type { PolicyFault } from '../../../contract/policies.ts';
import { readPolicyFolder } from './policy-folder.ts';
import type { PolicyService } from './policy-service.ts';
import { visible } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `spanwise policy validate`: prints every fault as `path:line:column: message`. @param files `shown`: the folder as given. @returns the exit code: 0 valid, 1 not */
export async function validatePolicies(
  terminal: Terminal,
  service: PolicyService,
  { folder, shown, json }: { folder: string; shown?: string | undefined; json: boolean },
): Promise<number> {
  const { policies: files } = await readPolicyFolder(folder);
  const { valid, errors } = await service.validate(files);
  if (json) terminal.print(JSON.stringify({ valid, errors }));
  else {
    for (const line of faultLines(errors, shown)) terminal.print(line);
    if (valid) terminal.print(`${filesIn(files.length)} valid.`);
  }
  return valid ? 0 : 1;
}

/** Faults as compilers print them. @param folder as given, so that editors find the files; left out: the current one */
export function faultLines(errors: readonly PolicyFault[], folder = '.'): string[] {
  return errors.map(({ path, line, column, message }) => `${visible(join(folder, path))}:${line}:${column}: ${visible(message)}`);
}

function filesIn(count: number): string {
  return count === 1 ? '1 file is' : `${count} files are`;
}
