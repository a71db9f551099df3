import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const licenseFile = /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i;

/** The licences of the libraries in a bundle, which ask that their text goes with them. @param moduleIds paths of its modules */
export function licensesOf(moduleIds: readonly string[]): string {
  const folders = new Set(moduleIds.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []));
  const texts = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>;
    const files = readdirSync(folder).filter((one) => licenseFile.test(one));
    const parts = files.toSorted().map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return [`${name} ${version} (${license})`, ...parts].join('\n\n');
  });
  return `${texts.toSorted().join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
