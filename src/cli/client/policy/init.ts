import { lstat, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Refusal } from '../service/refusal.ts';
import { starterFiles } from './starter-files.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `spanwise policy init`: writes an example with tests. Overwrites nothing. @returns the exit code */
export async function initPolicies(terminal: Terminal, { folder, json }: { folder: string; json: boolean }): Promise<number> {
  const taken: string[] = [];
  for (const { path } of starterFiles) if (await lstat(join(folder, path)).catch(() => null)) taken.push(path);
  if (taken.length > 0) {
    throw new Refusal(`${folder} has ${taken.join(', ')} already; nothing was written. Give another folder`, { taken });
  }
  for (const { path, content } of starterFiles) {
    try {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content, { flag: 'wx' });
    } catch (error) {
      throw new Refusal(`${join(folder, path)} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`);
    }
  }
  const files = starterFiles.map(({ path }) => path);
  if (json) terminal.print(JSON.stringify({ files }));
  else {
    for (const path of files) terminal.print(`+ ${path}`);
    terminal.print(`Next: spanwise policy test ${folder}, then spanwise policy plan ${folder} --project ID`);
  }
  return 0;
}
