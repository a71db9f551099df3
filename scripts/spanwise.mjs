#!/usr/bin/env node
// `spanwise`: the command line, on the Node that the repository installs.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
await import('./prepare.mjs');
process.argv.splice(2, 0, join(here, '../src/cli/main.ts'));
await import('./run.mjs');
