// Builds `dist` of every package under packages/: `npm run build:packages`, and `npm pack` in a package.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
await import('./prepare.mjs');
process.argv.splice(
  2,
  0,
  join(root, 'node_modules/tsdown/dist/run.mjs'),
  '--config',
  join(root, 'tsdown.config.ts'),
  '--logLevel',
  'warn',
);
await import('./run.mjs');
