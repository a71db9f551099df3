import { isBuiltin } from 'node:module';
import { cyclesOf } from './cycles.ts';
import { entryOf, packageViolations } from './package-fences.ts';
import { importsOf } from './source-tree.ts';
import type { SourceTree } from './source-tree.ts';

/**
 * The layers of the service (ARCHITECTURE.md), lowest first. A file imports from lower layers and, with restrictions, from its own. A file in no
 * layer is a violation.
 */
const layers: ReadonlyArray<{ name: string; files: RegExp }> = [
  { name: 'contract', files: /^src\/contract\/(?:(?:alert-types|filter|metrics)\/)?[^/]+\.ts$/ },
  { name: 'platform', files: /^src\/platform\/(?<module>[^/]+)\/.+\.ts$/ },
  { name: 'features', files: /^src\/features\/(?<module>[^/]+)\/.+\.ts$/ },
  { name: 'config', files: /^src\/(?:client-)?config\.ts$/ },
  {
    name: 'composition root',
    files: /^src\/(?:app|features|background-jobs|outgoing-addresses|stores|preopen|startup-banner|startup-error)\.ts$/,
  },
  { name: 'main', files: /^src\/main\.ts$/ },
  { name: 'command line', files: /^src\/cli\/.+\.ts$/ },
];

/**
 * The layers of the dashboard, lowest first. It runs in the browser and imports types of `src/contract` from the service, and values of files there that load
 * no package. Its workers import the guardrail engine.
 */
const webLayers: ReadonlyArray<{ name: string; files: RegExp }> = [
  {
    name: 'web ground',
    files: /^web\/src\/(?:(?:api|format)\/[^/]+|[^/]+)(?<!\/(?:main|router|page-list))\.tsx?$/,
  },
  { name: 'web design', files: /^web\/src\/design\/[^/]+\.tsx?$/ },
  { name: 'web content', files: /^web\/src\/content\/[^/]+\.tsx?$/ },
  { name: 'web frame', files: /^web\/src\/frame\/[^/]+\.tsx?$/ },
  { name: 'web pages', files: /^web\/src\/pages\/(?<module>[^/]+)\/[^/]+\.tsx?$/ },
  { name: 'web entry', files: /^web\/src\/(?:main|router|page-list)\.tsx?$/ },
];

/** Opens all features and connects their ports. */
const featureList = 'src/features.ts';

/** Exports that open a store, create the server or read the wall clock. Other files receive the results as parameters. */
const implementations: ReadonlySet<string> = new Set([
  'openPostgres',
  'openClickHouse',
  'openWal',
  'openDataDirectory',
  'openRedisBuckets',
  'PostgresBuckets',
  'createServer',
  'systemClock',
]);
const mayNameImplementations = /^src\/(?:app|stores|preopen)\.ts$|^src\/cli\//;

/** The settings of the service, and those of the commands that talk to one. */
const mayReadEnvironment = /^src\/(?:client-)?config\.ts$/;

/** The commands that the SDK's package has too, and what they take of features. */
const client = /^src\/cli\/client\/.+\.ts$/;
const offlineEntry = /^src\/features\/(?<feature>[^/]+)\/offline\.ts$/;
/** What the files of the SDK's command line may load; all of it is bundled into the package. */
const clientLibraries: ReadonlySet<string> = new Set([
  '@bomb.sh/tab',
  '@clack/prompts',
  'canonicalize',
  'cli-progress',
  'cli-table3',
  'commander',
  'diff',
  'fastest-levenshtein',
  'yaml',
  'zod',
]);

/** The only package entry that the service imports. */
const engine = entryOf('guardrails');

/** Of a file that is no test, which is a list of cases, and is not generated. */
const maxLines = 400;

interface Place {
  layer: number;
  name: string;
  /** A feature or a part of the platform; elsewhere the layer's name. */
  module: string;
}

function placeOf(path: string): Place | null {
  return placeOn(layers, path);
}

function placeOn(plan: typeof layers, path: string): Place | null {
  for (const [layer, { name, files }] of plan.entries()) {
    const match = files.exec(path);
    if (match) return { layer, name, module: match.groups?.['module'] ?? name };
  }
  return null;
}

/** Whether a file is a test or used by tests only; it may import any file. */
export function isTest(path: string): boolean {
  return /\.(?:test|fixture|oracle)\.tsx?$/.test(path) || path.startsWith('test/');
}

/** The violations in a tree of `src/`, `packages/` and `web/`, one sentence each, sorted. */
export function violations(tree: SourceTree): string[] {
  const found: string[] = packageViolations(tree);
  const dependencies = new Map<string, Set<string>>();
  for (const [path, text] of tree) {
    found.push(...sizeViolations(path, text));
    if (isTest(path) || path.startsWith('packages/')) continue;
    if (path.startsWith('web/')) {
      found.push(...webViolations(path, text, tree));
      continue;
    }
    found.push(...importViolations(path, text, dependencies));
    if (
      !mayReadEnvironment.test(path) &&
      /\bprocess\s*\.\s*env\b|\bprocess\[['"]env|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/.test(text)
    ) {
      found.push(`${path} reads process.env; only src/config.ts and src/client-config.ts do`);
    }
  }
  for (const cycle of [...cyclesOf(dependencies), ...cyclesOf(importGraph(tree))])
    found.push(`${cycle.join(', ')} import each other in a cycle`);
  found.push(...mutualFolders(tree), ...unlistedFeatures(tree), ...clientViolations(tree));
  return found.toSorted();
}

function sizeViolations(path: string, text: string): string[] {
  const lines = text.split('\n').length - Number(text.endsWith('\n'));
  return lines > maxLines && !path.endsWith('.test.ts') && !text.startsWith('// Generated from ')
    ? [`${path} has ${lines} lines; at most ${maxLines}`]
    : [];
}

function importViolations(path: string, text: string, dependencies: Map<string, Set<string>>): string[] {
  const here = placeOf(path);
  if (!here) return [`${path} is in no layer; see ARCHITECTURE.md`];
  return importsOf(path, text).flatMap(({ path: target, names, specifier }) => {
    if (target?.startsWith('web/') === true) return [`${path} imports ${target}; the service does not know the dashboard`];
    if (target === null) {
      if (specifier.startsWith('@spanwise/')) return [`${path} imports ${specifier}; import ${engine}, which needs no build`];
      return specifier === 'node:process'
        ? [`${path} imports node:process; take process, and its environment from src/config.ts`]
        : [];
    }
    if (isTest(target)) return [`${path} imports ${target}, which is for tests`];
    const there = placeOf(target);
    if (target === engine) return [];
    if (target.startsWith('packages/'))
      return [`${path} imports ${target}; the service takes ${engine} and no more of the packages`];
    if (!there) return [`${path} imports ${target}, which is in no layer`];
    const broken = layerViolation(path, here, target, there, names);
    if (there.module !== here.module && there.layer === here.layer)
      dependencies.set(here.module, (dependencies.get(here.module) ?? new Set()).add(there.module));
    const named = there.name === 'platform' && here.module !== there.module && !mayNameImplementations.test(path);
    const open = named ? names.filter((name) => implementations.has(name)) : [];
    return [
      ...broken,
      ...open.map(
        (name) => `${path} names the implementation ${name}; only src/app.ts, src/stores.ts, src/preopen.ts and src/cli do`,
      ),
    ];
  });
}

function webViolations(path: string, text: string, tree: SourceTree): string[] {
  const here = placeOn(webLayers, path);
  if (!here) return path.startsWith('web/src/') ? [`${path} is in no layer of the dashboard; see ARCHITECTURE.md`] : [];
  return importsOf(path, text).flatMap(({ path: target, isType, specifier }) => {
    if (specifier.startsWith('@spanwise/')) return [`${path} imports ${specifier}; the dashboard knows no package`];
    // Styles are in no layer.
    if (target === null || target.endsWith('.css')) return [];
    if (isTest(target)) return [`${path} imports ${target}, which is for tests`];
    if (target.startsWith('src/contract/')) {
      return isType || loadsNoPackage(tree, target)
        ? []
        : [`${path} imports ${target}, which loads a package; the dashboard takes only types of it (import type)`];
    }
    // Workers are loaded on first use, so that the engine is in no page's first load.
    if (target === engine && path.endsWith('-worker.ts')) return [];
    const there = placeOn(webLayers, target);
    if (!there) return [`${path} imports ${target}; of the service the dashboard knows src/contract alone`];
    if (there.layer > here.layer) return [`${path} (${here.name}) imports ${target} (${there.name}), which is above it`];
    // Pages import no other page; shared code belongs in a lower layer. The entry loads all pages.
    return there.layer === here.layer && there.module !== here.module
      ? [`${path} imports ${target}; a page knows no other page`]
      : [];
  });
}

/** Whether a file of the contract, with all that it imports, is in the bundle of the dashboard at no cost: plain values and functions. */
/** Packages of a few lines that the dashboard may load with the contract. */
const smallPackages: ReadonlySet<string> = new Set(['fastest-levenshtein']);

function loadsNoPackage(tree: SourceTree, path: string, seen = new Set<string>()): boolean {
  const text = tree.get(path);
  if (text === undefined) return false;
  seen.add(path);
  return importsOf(path, text).every(
    ({ isType, path: target, specifier }) =>
      isType ||
      smallPackages.has(specifier) ||
      (target?.startsWith('src/contract/') === true && (seen.has(target) || loadsNoPackage(tree, target, seen))),
  );
}

function layerViolation(path: string, here: Place, target: string, there: Place, names: readonly string[]): string[] {
  if (there.layer > here.layer) return [`${path} (${here.name}) imports ${target} (${there.name}), which is above it`];
  if (names.includes('open') && target === `src/features/${there.module}/index.ts` && path !== featureList)
    return [`${path} opens the feature ${there.module}; only ${featureList} does`];
  if (client.test(path) && offlineEntry.test(target)) return [];
  if (there.name === 'features' && there.module !== here.module && target !== `src/features/${there.module}/index.ts`) {
    return [`${path} imports ${target}; a feature is used through its index.ts alone`];
  }
  return [];
}

/** The files of the tree that a file imports, types included. */
function importGraph(tree: SourceTree): Map<string, string[]> {
  const targets = (path: string, text: string) =>
    importsOf(path, text).flatMap(({ path: target }) => (target !== null && tree.has(target) ? [target] : []));
  return new Map([...tree].map(([path, text]) => [path, targets(path, text)]));
}

/**
 * Folders of one parent that import from each other both ways: features, parts of the platform, and the folders within them. A folder and the files
 * beside it are no such pair: an index.ts imports what it opens, and that takes the types of the whole.
 */
function mutualFolders(tree: SourceTree): string[] {
  /** An example of the imports from one folder to another. */
  const imports = new Map<string, string>();
  const found: string[] = [];
  for (const [path, text] of tree) {
    if (isTest(path)) continue;
    for (const { path: target } of importsOf(path, text)) {
      if (target === null || !tree.has(target) || isTest(target)) continue;
      const [from, to] = siblingsOf(path.split('/').slice(0, -1), target.split('/').slice(0, -1));
      if (from === undefined || to === undefined || imports.has(`${from} ${to}`)) continue;
      imports.set(`${from} ${to}`, `${path} imports ${target}`);
      const back = imports.get(`${to} ${from}`);
      if (back !== undefined) found.push(`${from} and ${to} import from each other: ${back}, and ${path} ${target}`);
    }
  }
  return found;
}

/** The folders in which two paths part; none where one contains the other. */
function siblingsOf(left: readonly string[], right: readonly string[]): [string, string] | [] {
  const common = left.findIndex((folder, index) => folder !== right[index]);
  if (common === -1 || common >= right.length) return [];
  return [left.slice(0, common + 1).join('/'), right.slice(0, common + 1).join('/')];
}

/** Imports of stores and servers in files that the SDK's command line loads. */
function clientViolations(tree: SourceTree): string[] {
  const queue = [...tree.keys()].filter((path) => client.test(path) && !isTest(path));
  const reached = new Set(queue);
  const found: string[] = [];
  for (const path of queue) {
    for (const { path: target, specifier, isType } of importsOf(path, tree.get(path) ?? '')) {
      if (isType || target === engine) continue;
      if (target === null) {
        if (!isBuiltin(specifier) && !clientLibraries.has(specifier.replace(/^((?:@[^/]+\/)?[^/]+).*$/, '$1')))
          found.push(`${path} imports ${specifier}; the command line of the SDK's package does not load it`);
      } else if (/^src\/features\/[^/]+\/(?:index|open)\.ts$|^src\/config\.ts$/.test(target)) {
        found.push(
          `${path} imports ${target}; the command line of the SDK's package takes contract, client-config and offline.ts`,
        );
      } else if (!reached.has(target)) {
        reached.add(target);
        queue.push(target);
      }
    }
  }
  return found;
}

/** Features with an `open` that src/features.ts does not call. */
function unlistedFeatures(tree: SourceTree): string[] {
  const list = tree.get(featureList);
  if (list === undefined) return [];
  const opened = importsOf(featureList, list).flatMap(({ path, names }) => (names.includes('open') ? [path] : []));
  return [...tree.keys()].flatMap((path) => {
    const feature = /^src\/features\/([^/]+)\/open\.ts$/.exec(path)?.[1];
    if (feature === undefined || opened.includes(`src/features/${feature}/index.ts`)) return [];
    return [`${path} is not opened by ${featureList}`];
  });
}
