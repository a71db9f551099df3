// Adds optional packages of other platforms to package-lock.json: node scripts/complete-lockfile.mjs
// Needed after a change of dependencies when the registry in use lacks some of them: npm then leaves them out, and `npm ci` rejects the file. The
// entries have no checksum; versions come from the packages that depend on them, platforms from the names.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const file = join(dirname(fileURLToPath(import.meta.url)), '../package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
const systems = ['darwin', 'linux', 'win32', 'android', 'freebsd', 'openbsd', 'netbsd', 'sunos', 'aix', 'openharmony'];
const processors = ['x64', 'arm64', 'arm', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64', 'mips64el', 'wasm32'];
const names = { 'arm-gnueabihf': 'arm', 'arm-musleabihf': 'arm', 'arm-eabi': 'arm' };

function platformOf(name) {
  const spelled = Object.entries(names).reduce((text, [long, short]) => text.replace(long, short), name);
  const words = spelled.split(/[/-]/);
  const os = systems.filter((system) => words.includes(system));
  const cpu = processors.filter((processor) => words.includes(processor));
  const libc = ['gnu', 'musl'].filter((library) => name.split('-').some((word) => word.startsWith(library)));
  return {
    ...(os.length > 0 ? { os } : {}),
    ...(cpu.length > 0 ? { cpu } : {}),
    // Without it npm would install the packages of both C libraries.
    ...(libc.length > 0 ? { libc: libc.map((library) => (library === 'gnu' ? 'glibc' : library)) } : {}),
  };
}

let added = 0;
for (const entry of Object.values(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    const path = `node_modules/${name}`;
    if (lock.packages[path]) continue;
    lock.packages[path] = {
      version: range.replace(/^[~^]/, ''),
      ...(entry.dev ? { dev: true } : {}),
      optional: true,
      ...platformOf(name),
    };
    added += 1;
  }
}
const root = lock.packages[''];
delete lock.packages[''];
lock.packages = {
  '': root,
  ...Object.fromEntries(Object.entries(lock.packages).toSorted(([left], [right]) => (left < right ? -1 : 1))),
};
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`added ${added} packages of other platforms`);
