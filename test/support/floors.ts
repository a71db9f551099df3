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
  { name: 'composition root', files: /^src\/(?:app|services|background-jobs|stores|early-stores|greeting|explain)\.ts$/ },
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

/** Who may open a store, read the wall clock or take a server's place: everybody else is given one. */
const implementations: ReadonlySet<string> = new Set([
  'openPostgres',
  'openClickHouse',
  'openWal',
  'openDataDirectory',
  'createServer',
  'systemClock',
]);
const mayNameImplementations = /^src\/(?:app|stores|early-stores)\.ts$|^src\/cli\//;

const mostLines = 400;

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
  const found: string[] = [];
  const rooms = new Map<string, Set<string>>();
  for (const [path, text] of tree) {
    found.push(...sizeViolations(path, text));
    if (isTest(path)) continue;
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
  for (const circle of circlesOf(rooms)) found.push(`${circle.join(' and ')} import each other`);
  return found.toSorted();
}

function sizeViolations(path: string, text: string): string[] {
  const lines = text.split('\n').length - Number(text.endsWith('\n'));
  return lines > mostLines ? [`${path} has ${lines} lines; at most ${mostLines}`] : [];
}

function importViolations(path: string, text: string, rooms: Map<string, Set<string>>): string[] {
  const here = placeOf(path);
  if (path.startsWith('src/') && !here) return [`${path} stands on no floor; see ARCHITECTURE.md`];
  return importsOf(path, text).flatMap(({ path: target, names, specifier }) => {
    if (target?.startsWith('web/') === true) return [`${path} imports ${target}; the service does not know the dashboard`];
    if (target === null) {
      return specifier === 'node:process'
        ? [`${path} imports node:process; take process, and its environment from src/config.ts`]
        : [];
    }
    if (isTest(target)) return [`${path} imports ${target}, which is for tests`];
    const there = placeOf(target);
    if (!here) return there ? [`${path} imports ${target}; packages know nothing of the service`] : [];
    if (!there) return target.startsWith('packages/') ? [] : [`${path} imports ${target}, which stands on no floor`];
    const told = floorViolation(path, here, target, there);
    if (there.room !== here.room && there.floor === here.floor)
      rooms.set(here.room, (rooms.get(here.room) ?? new Set()).add(there.room));
    const named = there.name === 'platform' && here.room !== there.room && !mayNameImplementations.test(path);
    const open = named ? names.filter((name) => implementations.has(name)) : [];
    return [
      ...told,
      ...open.map(
        (name) => `${path} names the implementation ${name}; only src/app.ts, src/stores.ts, src/early-stores.ts and src/cli do`,
      ),
    ];
  });
}

function webViolations(path: string, text: string): string[] {
  const here = placeOn(webFloors, path);
  if (!here) return path.startsWith('web/src/') ? [`${path} stands on no floor of the dashboard; see ARCHITECTURE.md`] : [];
  return importsOf(path, text).flatMap(({ path: target, isType }) => {
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

function floorViolation(path: string, here: Place, target: string, there: Place): string[] {
  if (there.floor > here.floor) return [`${path} (${here.name}) imports ${target} (${there.name}), which is above it`];
  if (there.name === 'features' && there.room !== here.room && target !== `src/features/${there.room}/index.ts`) {
    return [`${path} imports ${target}; a feature is used through its index.ts alone`];
  }
  return [];
}

/** Pairs of rooms on one floor that reach each other, directly or over others. */
function circlesOf(rooms: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reach = (from: string) => {
    const reached = new Set<string>();
    const queue = [...(rooms.get(from) ?? [])];
    for (let room = queue.pop(); room !== undefined; room = queue.pop()) {
      if (reached.has(room)) continue;
      reached.add(room);
      queue.push(...(rooms.get(room) ?? []));
    }
    return reached;
  };
  const reached = new Map([...rooms.keys()].map((room) => [room, reach(room)]));
  return [...reached].flatMap(([room, others]) =>
    [...others].filter((other) => room < other && reached.get(other)?.has(room)).map((other) => [room, other]),
  );
}
