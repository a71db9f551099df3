import { circlesOf } from './circles.ts';
import { entryOf, packageViolations } from './package-fences.ts';
import { importsOf } from './source-tree.ts';
import type { SourceTree } from './source-tree.ts';

/**
 * The floors of the house (ARCHITECTURE.md), lowest first. A file imports from its own floor's rooms as said there and from floors
 * below; what stands on no floor is a violation.
 */
const floors: ReadonlyArray<{ name: string; files: RegExp }> = [
  { name: 'contract', files: /^src\/contract\/[^/]+\.ts$/ },
  { name: 'platform', files: /^src\/platform\/(?<room>[^/]+)\/.+\.ts$/ },
  { name: 'features', files: /^src\/features\/(?<room>[^/]+)\/.+\.ts$/ },
  { name: 'config', files: /^src\/config\.ts$/ },
  { name: 'composition root', files: /^src\/(?:app|features|background-jobs|stores|preopen|startup-banner|startup-error)\.ts$/ },
  { name: 'main', files: /^src\/main\.ts$/ },
  { name: 'command line', files: /^src\/cli\/.+\.ts$/ },
];

/**
 * The floors of the dashboard, lowest first. It is a program of its own, in the browser: of the service it knows the contract, and of that
 * the types alone.
 */
const webFloors: ReadonlyArray<{ name: string; files: RegExp }> = [
  { name: 'web ground', files: /^web\/src\/(?:(?:api|format)\/[^/]+|[^/]+)(?<!\/(?:main|router|page-data))\.tsx?$/ },
  { name: 'web design', files: /^web\/src\/design\/[^/]+\.tsx?$/ },
  { name: 'web content', files: /^web\/src\/content\/[^/]+\.tsx?$/ },
  { name: 'web frame', files: /^web\/src\/frame\/[^/]+\.tsx?$/ },
  { name: 'web pages', files: /^web\/src\/pages\/(?<room>[^/]+)\/[^/]+\.tsx?$/ },
  { name: 'web entry', files: /^web\/src\/(?:main|router|page-data)\.tsx?$/ },
];

/** Where features are opened and given what they need of each other. */
const featureList = 'src/features.ts';

/** What opens a store, makes the server or reads the wall clock. Other files are given the result. */
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

/** All that the service takes of the packages. */
const engine = entryOf('guardrails');

const maxLines = 400;

interface Place {
  floor: number;
  name: string;
  /** A feature or a part of the platform; the floor itself elsewhere. */
  room: string;
}

function placeOf(path: string): Place | null {
  return placeOn(floors, path);
}

function placeOn(plan: typeof floors, path: string): Place | null {
  for (const [floor, { name, files }] of plan.entries()) {
    const match = files.exec(path);
    if (match) return { floor, name, room: match.groups?.['room'] ?? name };
  }
  return null;
}

/** A test, or what only tests use; it may look wherever it has to. */
export function isTest(path: string): boolean {
  return /\.(?:test|fixture)\.tsx?$/.test(path) || path.startsWith('test/');
}

/** Everything in a tree of `src/`, `packages/` and `web/` that breaks a rule, one sentence each, sorted. */
export function violations(tree: SourceTree): string[] {
  const found: string[] = packageViolations(tree);
  const rooms = new Map<string, Set<string>>();
  for (const [path, text] of tree) {
    found.push(...sizeViolations(path, text));
    if (isTest(path) || path.startsWith('packages/')) continue;
    if (path.startsWith('web/')) {
      found.push(...webViolations(path, text));
      continue;
    }
    found.push(...importViolations(path, text, rooms));
    if (
      path !== 'src/config.ts' &&
      /\bprocess\s*\.\s*env\b|\bprocess\[['"]env|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/.test(text)
    ) {
      found.push(`${path} reads process.env; only src/config.ts does`);
    }
  }
  for (const circle of [...circlesOf(rooms), ...circlesOf(importGraph(tree))])
    found.push(`${circle.join(', ')} import each other in a circle`);
  found.push(...unlistedFeatures(tree));
  return found.toSorted();
}

function sizeViolations(path: string, text: string): string[] {
  const lines = text.split('\n').length - Number(text.endsWith('\n'));
  return lines > maxLines ? [`${path} has ${lines} lines; at most ${maxLines}`] : [];
}

function importViolations(path: string, text: string, rooms: Map<string, Set<string>>): string[] {
  const here = placeOf(path);
  if (!here) return [`${path} stands on no floor; see ARCHITECTURE.md`];
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
    if (!there) return [`${path} imports ${target}, which stands on no floor`];
    const told = floorViolation(path, here, target, there, names);
    if (there.room !== here.room && there.floor === here.floor)
      rooms.set(here.room, (rooms.get(here.room) ?? new Set()).add(there.room));
    const named = there.name === 'platform' && here.room !== there.room && !mayNameImplementations.test(path);
    const open = named ? names.filter((name) => implementations.has(name)) : [];
    return [
      ...told,
      ...open.map(
        (name) => `${path} names the implementation ${name}; only src/app.ts, src/stores.ts, src/preopen.ts and src/cli do`,
      ),
    ];
  });
}

function webViolations(path: string, text: string): string[] {
  const here = placeOn(webFloors, path);
  if (!here) return path.startsWith('web/src/') ? [`${path} stands on no floor of the dashboard; see ARCHITECTURE.md`] : [];
  return importsOf(path, text).flatMap(({ path: target, isType, specifier }) => {
    if (specifier.startsWith('@spanwise/')) return [`${path} imports ${specifier}; the dashboard knows no package`];
    // Styles have no floor.
    if (target === null || target.endsWith('.css')) return [];
    if (isTest(target)) return [`${path} imports ${target}, which is for tests`];
    if (target.startsWith('src/contract/')) {
      return isType ? [] : [`${path} imports ${target}; the dashboard takes only types of the contract (import type)`];
    }
    const there = placeOn(webFloors, target);
    if (!there) return [`${path} imports ${target}; of the service the dashboard knows the types of src/contract alone`];
    if (there.floor > here.floor) return [`${path} (${here.name}) imports ${target} (${there.name}), which is above it`];
    // A page is its own; what two of them need goes below. The entry loads them all.
    return there.floor === here.floor && there.room !== here.room
      ? [`${path} imports ${target}; a page knows no other page`]
      : [];
  });
}

function floorViolation(path: string, here: Place, target: string, there: Place, names: readonly string[]): string[] {
  if (there.floor > here.floor) return [`${path} (${here.name}) imports ${target} (${there.name}), which is above it`];
  if (names.includes('open') && target === `src/features/${there.room}/index.ts` && path !== featureList)
    return [`${path} opens the feature ${there.room}; only ${featureList} does`];
  if (there.name === 'features' && there.room !== here.room && target !== `src/features/${there.room}/index.ts`) {
    return [`${path} imports ${target}; a feature is used through its index.ts alone`];
  }
  return [];
}

/** Which files a file imports, types included, as far as they are in the tree. */
function importGraph(tree: SourceTree): Map<string, string[]> {
  const targets = (path: string, text: string) =>
    importsOf(path, text).flatMap(({ path: target }) => (target !== null && tree.has(target) ? [target] : []));
  return new Map([...tree].map(([path, text]) => [path, targets(path, text)]));
}

/** Features that can be opened and that src/features.ts does not open. */
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
