import { describe, expect, test } from 'vitest';
import { violations } from './support/layers.ts';
import { importsOf, readSourceTree } from './support/source-tree.ts';

test('the sources respect the layers', () => {
  const tree = readSourceTree('src', 'packages', 'web');
  expect(tree.size).toBeGreaterThan(100);
  expect(violations(tree)).toEqual([]);
});

test('importsOf finds every import in the sources', () => {
  for (const [path, text] of readSourceTree('src', 'packages', 'web')) {
    // The oracle is coarser: every string after `from` or `import` that looks like a path.
    const mentioned = [...text.matchAll(/^(?:.*\bfrom|\s*import) '(\.[^']+)'/gm)].map((match) => match[1]);
    expect(
      importsOf(path, text).map(({ specifier }) => specifier),
      path,
    ).toEqual(expect.arrayContaining(mentioned));
  }
});

describe('planted violations are found', () => {
  const cases: ReadonlyArray<[what: string, path: string, text: string, expected: string]> = [
    [
      'the contract importing upwards',
      'src/contract/planted.ts',
      "import { Wal } from '../platform/wal/wal.ts';",
      'which is above it',
    ],
    [
      'the platform knowing a feature',
      'src/platform/wal/planted.ts',
      "import type { Span } from '../../features/ingest/index.ts';",
      'which is above it',
    ],
    [
      'a feature knowing the configuration',
      'src/features/models/planted.ts',
      "import type { Config } from '../../config.ts';",
      'which is above it',
    ],
    [
      'a feature knowing the composition root',
      'src/features/models/planted.ts',
      "export { startApp } from '../../app.ts';",
      'which is above it',
    ],
    [
      'a feature behind the index of another',
      'src/features/models/planted.ts',
      "import { a } from '../traces/get-trace.ts';",
      'through its index.ts alone',
    ],
    [
      'the same over several lines',
      'src/features/models/planted.ts',
      "import {\n  a,\n  type B,\n} from '../traces/get-trace.ts';",
      'through its index.ts alone',
    ],
    [
      'the same as a dynamic import',
      'src/features/models/planted.ts',
      "const a = await import('../traces/get-trace.ts');",
      'through its index.ts alone',
    ],
    [
      'the same as a side effect',
      'src/features/models/planted.ts',
      "import '../traces/get-trace.ts';",
      'through its index.ts alone',
    ],
    [
      'a worker above',
      'src/platform/wal/planted.ts',
      "new Worker(new URL('../../features/ingest/a-worker.ts', import.meta.url));",
      'which is above it',
    ],
    [
      'a feature opening a store',
      'src/features/models/planted.ts',
      "import { openWal } from '../../platform/wal/index.ts';",
      'names the implementation openWal',
    ],
    [
      'a feature reading the wall clock',
      'src/features/models/planted.ts',
      "import { systemClock as clock } from '../../platform/clock/clock.ts';",
      'names the implementation systemClock',
    ],
    [
      'the environment read elsewhere',
      'src/features/models/planted.ts',
      "const home = process.env['HOME'];",
      'only src/config.ts and src/client-config.ts do',
    ],
    ['the environment taken apart', 'src/features/models/planted.ts', 'const { env } = process;', 'only src/config.ts and'],
    ['the environment imported', 'src/features/models/planted.ts', "import { env } from 'node:process';", 'imports node:process'],
    ['a file in no layer', 'src/utils/planted.ts', 'export const a = 1;', 'is in no layer'],
    [
      "the SDK's command line with a store",
      'src/cli/client/planted.ts',
      "import { Kysely } from 'kysely';",
      "the command line of the SDK's package does not load it",
    ],
    [
      "the SDK's command line with a whole feature",
      'src/cli/client/planted.ts',
      "import { applyFiles } from '../../features/policies/index.ts';",
      'takes contract, client-config and offline.ts',
    ],
    [
      'an offline entry in other hands',
      'src/cli/planted.ts',
      "import { readPack } from '../features/compliance/offline.ts';",
      'through its index.ts alone',
    ],
    [
      'a source that uses a fixture',
      'src/features/models/planted.ts',
      "import { a } from './rows.fixture.ts';",
      'which is for tests',
    ],
    [
      'a package that knows the service',
      'packages/sdk/src/planted.ts',
      "import type { IngestEvent } from '../../../src/contract/ingest.ts';",
      'know nothing of the service',
    ],
    [
      'a package that knows the dashboard',
      'packages/sdk/src/planted.ts',
      "import { formatUsd } from '../../../web/src/format/number-format.ts';",
      'know nothing of the service',
    ],
    [
      'the engine with the SDK',
      'packages/guardrails/src/planted.ts',
      "import { newTraceId } from '../../sdk/src/index.ts';",
      'guardrails does not depend on sdk',
    ],
    [
      'the SDK behind the entry of the engine',
      'packages/sdk/src/planted.ts',
      "import { compilePattern } from '../../guardrails/src/pattern.ts';",
      'through its index.ts',
    ],
    [
      'the SDK with the built engine',
      'packages/sdk/src/planted.ts',
      "import { compilePattern } from '@spanwise/guardrails';",
      'no dependency of the package',
    ],
    [
      'a package with a library of the service',
      'packages/guardrails/src/planted.ts',
      "import { z } from 'zod';",
      'no dependency of the package',
    ],
    [
      'a main entry with an optional peer',
      'packages/sdk/src/index.ts',
      "import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';",
      'no dependency of the package',
    ],
    ['a main entry on Node', 'packages/sdk/src/index.ts', "import { hash } from 'node:crypto';", 'runs in browsers too'],
    ['the same without its prefix', 'packages/guardrails/src/index.ts', "const fs = await import('fs');", 'runs in browsers too'],
    ['a package without a rule', 'packages/planted/src/index.ts', 'export const a = 1;', 'without a rule'],
    ['a package that uses a test', 'packages/sdk/src/planted.ts', "import { a } from './id.test.ts';", 'which is for tests'],
    [
      'the service behind the entry of the engine',
      'src/features/models/planted.ts',
      "import { compilePattern } from '../../../packages/guardrails/src/pattern.ts';",
      'no more of the packages',
    ],
    [
      'the service with the SDK',
      'src/cli/planted.ts',
      "import { newTraceId } from '../../packages/sdk/src/index.ts';",
      'no more of the packages',
    ],
    [
      'the service with the built engine',
      'src/features/models/planted.ts',
      "import { compilePattern } from '@spanwise/guardrails';",
      'which needs no build',
    ],
    [
      'the dashboard with a package',
      'web/src/api/planted.ts',
      "import type { Pattern } from '../../../packages/guardrails/src/index.ts';",
      'knows src/contract alone',
    ],
    [
      'the dashboard with the engine outside of a worker',
      'web/src/content/planted.ts',
      "import { checkText } from '../../../packages/guardrails/src/index.ts';",
      'knows src/contract alone',
    ],
    [
      'a worker of the dashboard behind the entry of the engine',
      'web/src/content/planted-worker.ts',
      "import { checkText } from '../../../packages/guardrails/src/check.ts';",
      'knows src/contract alone',
    ],
    [
      'the dashboard with a built package',
      'web/src/api/planted.ts',
      "import type { Pattern } from '@spanwise/guardrails';",
      'the dashboard knows no package',
    ],
    [
      'the dashboard with schemas of the contract',
      'web/src/api/planted.ts',
      "import { alertBody } from '../../../src/contract/alerts.ts';",
      'takes only types of it',
    ],
    [
      'the dashboard inside the service',
      'web/src/api/planted.ts',
      "import type { App } from '../../../src/app.ts';",
      'knows src/contract alone',
    ],
    [
      'the service with the dashboard',
      'src/features/models/planted.ts',
      "import { formatUsd } from '../../../web/src/format/number-format.ts';",
      'does not know the dashboard',
    ],
    [
      'a page with another page',
      'web/src/pages/trace/planted.tsx',
      "import { Turns } from '../session/turns.tsx';",
      'a page knows no other page',
    ],
    [
      'the design with the frame',
      'web/src/design/planted.tsx',
      "import { useProject } from '../frame/project-context.ts';",
      'which is above it',
    ],
    ['a part of the dashboard in no layer', 'web/src/utils/planted.ts', 'export const a = 1;', 'in no layer of the dashboard'],
    ['a long file', 'src/features/models/planted.ts', 'export {};\n'.repeat(401), '401 lines'],
  ];

  test.each(cases)('%s', (_what, path, text, expected) => {
    expect(violations(new Map([[path, text]]))).toEqual([expect.stringContaining(expected)]);
  });

  test('features in a cycle', () => {
    const cycle = new Map([
      ['src/features/a/one.ts', "import { b } from '../b/index.ts';"],
      ['src/features/b/one.ts', "import { c } from '../c/index.ts';"],
      ['src/features/c/one.ts', "import { a } from '../a/index.ts';"],
    ]);
    expect(violations(cycle)).toEqual(['a, b, c import each other in a cycle']);
  });

  const cycles: ReadonlyArray<[where: string, files: ReadonlyArray<[path: string, text: string]>]> = [
    [
      'the service, by types alone',
      [
        ['src/platform/wal/one.ts', "import type { Two } from './two.ts';"],
        ['src/platform/wal/two.ts', "export type { One } from './one.ts';"],
      ],
    ],
    [
      'the service, over three files and a worker',
      [
        ['src/features/a/one.ts', "new Worker(new URL('./two.ts', import.meta.url));"],
        ['src/features/a/three.ts', "const one = await import('./one.ts');"],
        ['src/features/a/two.ts', "import { three } from './three.ts';"],
      ],
    ],
    [
      'the dashboard',
      [
        ['web/src/design/one.tsx', "import { Two } from './two.tsx';"],
        ['web/src/design/two.tsx', "import type { One } from './one.tsx';"],
      ],
    ],
    [
      'a package',
      [
        ['packages/sdk/src/one.ts', "import type { Two } from './two.ts';"],
        ['packages/sdk/src/two.ts', "import type { One } from './one.ts';"],
      ],
    ],
    ['a fixture that imports itself', [['src/features/a/one.fixture.ts', "import { one } from './one.fixture.ts';"]]],
  ];

  test.each(cycles)('files in a cycle: %s', (_where, files) => {
    const beside: ReadonlyArray<[string, string]> = [
      ['src/features/z/one.ts', "import { two } from './two.ts';\nimport { three } from './three.ts';"],
      ['src/features/z/two.ts', "import { three } from './three.ts';"],
      ['src/features/z/three.ts', 'export const three = 3;'],
    ];
    const names = files.map(([path]) => path).join(', ');
    expect(violations(new Map([...beside, ...files]))).toEqual([`${names} import each other in a cycle`]);
  });

  const mutual: ReadonlyArray<[where: string, files: ReadonlyArray<[path: string, text: string]>, folders: string]> = [
    [
      'folders of a feature, by types alone',
      [
        ['src/features/a/one/x.ts', "import type { Y } from '../two/y.ts';"],
        ['src/features/a/two/z.ts', "import { w } from '../one/deep/w.ts';"],
        ['src/features/a/two/y.ts', 'export interface Y {}'],
        ['src/features/a/one/deep/w.ts', 'export const w = 1;'],
      ],
      'src/features/a/two and src/features/a/one',
    ],
    [
      'a package, beside folders of the dashboard of which one imports the other',
      [
        ['web/src/design/one.ts', "import type { A } from '../api/a.ts';"],
        ['web/src/design/two.ts', 'export const two = 1;'],
        ['web/src/api/a.ts', 'export interface A {}'],
        ['web/src/api/b.ts', 'export const b = 1;'],
        ['packages/sdk/src/guard/one.ts', "import { x } from '../wrap/x.ts';"],
        ['packages/sdk/src/guard/two.ts', 'export const y = 1;'],
        ['packages/sdk/src/wrap/x.ts', 'export const x = 1;'],
        ['packages/sdk/src/wrap/y.ts', "import { y } from '../guard/two.ts';"],
      ],
      'packages/sdk/src/wrap and packages/sdk/src/guard',
    ],
  ];

  test.each(mutual)('folders that import from each other: %s', (_where, files, folders) => {
    expect(violations(new Map(files))).toEqual([expect.stringContaining(`${folders} import from each other`)]);
  });

  test('a feature that opens another, and one that is never opened', () => {
    const tree = new Map([
      ['src/features.ts', "import { open as openA } from './features/a/index.ts';"],
      ['src/features/a/open.ts', "import { open as openB } from '../b/index.ts';"],
      ['src/features/b/open.ts', 'export function open() {}'],
    ]);
    expect(violations(tree)).toEqual([
      'src/features/a/open.ts opens the feature b; only src/features.ts does',
      'src/features/b/open.ts is not opened by src/features.ts',
    ]);
  });

  test('allowed imports are no violations', () => {
    const allowed = new Map([
      ['src/features/c/one.ts', "import { compilePattern } from '../../../packages/guardrails/src/index.ts';"],
      ['packages/sdk/src/index.ts', "import { compilePattern } from '../../guardrails/src/index.ts';\nimport './id.ts';"],
      ['packages/guardrails/src/index.ts', "import { RE2JS } from 're2js';"],
      ['packages/sdk/src/one.test.ts', "import { readFile } from 'node:fs/promises';"],
      [
        'src/features/a/one.ts',
        "import { b } from '../b/index.ts';\nimport { two } from './deep/two.ts';\nimport type { P } from '../../platform/wal/wal.ts';",
      ],
      ['src/features/a/one.test.ts', "import { openWal } from '../../platform/wal/open-wal.ts';\nprocess.env['TZ'];"],
      ['src/stores.ts', "import { openWal } from './platform/wal/index.ts';"],
      ['src/config.ts', 'process.env;'],
      [
        'src/cli/client/one.ts',
        "import { a } from '../../features/a/offline.ts';\nimport type { B } from '../../features/b/index.ts';\nimport 'commander';",
      ],
      ['src/contract/roles.ts', "import type { z } from 'zod';\nexport const roles = ['owner'];"],
      ['web/src/api/one.ts', "import { roles } from '../../../src/contract/roles.ts';"],
      [
        'web/src/pages/trace/one.tsx',
        "import type { Role } from '../../../../src/contract/permissions.ts';\nimport { two } from './two.tsx';\nimport { Page } from '../../frame/page.tsx';",
      ],
      [
        'web/src/router.tsx',
        "import { readTraceSearch } from './pages/trace/search.ts';\nconst page = () => import('./pages/trace/one.tsx');",
      ],
      ['web/src/api/two.ts', "import { roles } from '../../../src/contract/permissions.ts';"],
      ['src/contract/permissions.ts', "import type { z } from 'zod';\nimport { ranks } from './ranks.ts';"],
      ['src/contract/ranks.ts', 'export const ranks = [];'],
      ['src/features/b/long.ts', 'export {};\n'.repeat(400)],
    ]);
    expect(violations(allowed)).toEqual([]);
  });
});
