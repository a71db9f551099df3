// Moves the entries of changes/*.md to the top of "Unreleased" in CHANGELOG.md: node scripts/join-changes.mjs
// A change writes a file of its own there, so that two changes do not edit the same line.
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const heading = '## Unreleased\n\n';

const files = globSync('changes/*.md', { cwd: root })
  .filter((name) => !name.endsWith('README.md'))
  // CHANGELOG.md has the newest first.
  .toSorted()
  .toReversed();
const entries = files.map((name) => readFileSync(join(root, name), 'utf8').trim()).filter((text) => text !== '');
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
if (!changelog.includes(heading)) throw new Error('CHANGELOG.md has no section "Unreleased"; add one');
if (entries.length > 0)
  writeFileSync(
    join(root, 'CHANGELOG.md'),
    changelog.replace(heading, () => `${heading}${entries.join('\n')}\n`),
  );
for (const name of files) rmSync(join(root, name));
process.stdout.write(`${entries.length} files of changes/ joined\n`);
