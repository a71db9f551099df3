import { isBuiltin } from 'node:module';
import { importsOf } from './source-tree.ts';
import type { Import, SourceTree } from './source-tree.ts';

interface PackageRule {
  /** Other packages of the repository that it may import, each through its entry. */
  packages: readonly string[];
  /** Libraries that it may import, as its package.json names them. */
  libraries: readonly string[];
  /** Optional peers, which the main entry may not import. */
  peers: readonly string[];
}

const rules: Readonly<Record<string, PackageRule>> = {
  guardrails: { packages: [], libraries: ['libphonenumber-js', 're2js'], peers: [] },
  sdk: {
    packages: ['guardrails'],
    libraries: [],
    peers: ['@opentelemetry/exporter-trace-otlp-proto', '@opentelemetry/sdk-trace-base'],
  },
};

/** The main entry of a package. The repository imports it by this path, because built files may be missing or outdated. */
export const entryOf = (name: string): string => `packages/${name}/src/index.ts`;

/** Imports of the files of `packages/` that break the rules, one sentence each. */
export function packageViolations(tree: SourceTree): string[] {
  const sources = new Map([...tree].filter(([path]) => /^packages\/[^/]+\/src\/.+(?<!\.(?:test|fixture))\.ts$/.test(path)));
  const everywhere = filesOfMainEntries(sources);
  return [...sources].flatMap(([path, text]) => {
    const name = path.split('/')[1] ?? '';
    const rule = rules[name];
    if (!rule) return [`${path} is in a package without a rule in test/support/package-fences.ts`];
    return importsOf(path, text).flatMap((one) => importViolations(path, name, rule, one, everywhere.has(path)));
  });
}

function importViolations(path: string, name: string, rule: PackageRule, one: Import, isEverywhere: boolean): string[] {
  const { path: target, specifier } = one;
  if (target !== null && /\.(?:test|fixture)\.ts$/.test(target)) return [`${path} imports ${target}, which is for tests`];
  if (target === null) {
    if (isBuiltin(specifier)) {
      return isEverywhere ? [`${path} imports ${specifier}; the main entry of a package runs in browsers too`] : [];
    }
    if (rule.peers.includes(specifier) && !isEverywhere) return [];
    return rule.libraries.includes(specifier) ? [] : [`${path} imports ${specifier}, which is no dependency of the package`];
  }
  const other = /^packages\/([^/]+)\//.exec(target)?.[1];
  if (other === undefined) return [`${path} imports ${target}; packages know nothing of the service`];
  if (other === name) return [];
  if (!rule.packages.includes(other)) return [`${path} imports ${target}; ${name} does not depend on ${other}`];
  return target === entryOf(other) ? [] : [`${path} imports ${target}; a package is imported through its index.ts`];
}

/** The files that the main entries reach: they run on every platform. */
function filesOfMainEntries(tree: SourceTree): Set<string> {
  const reached = new Set<string>();
  const queue = Object.keys(rules).map(entryOf);
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const text = tree.get(path);
    if (text === undefined || reached.has(path)) continue;
    reached.add(path);
    for (const { path: target } of importsOf(path, text)) if (target !== null) queue.push(target);
  }
  return reached;
}
