import type { Plugin } from 'vite';
import { describeType, guardrailTypes, isRemote, piiEntityTitles, secretLabels } from '../packages/guardrails/src/index.ts';

const name = 'virtual:guardrail-types';

/** Provides `virtual:guardrail-types`: what the engine says of its types, read when the dashboard is built. The engine itself is in the workers alone. */
export function guardrailTypesPlugin(): Plugin {
  return {
    name,
    resolveId: (id) => (id === name ? `\0${name}` : null),
    load: (id) => (id === `\0${name}` ? moduleText() : null),
  };
}

function moduleText(): string {
  const described = guardrailTypes.map((type) => {
    const { title, hint, redacts, defaultAction, example, sample } = describeType(type);
    return { name: type, title, hint, redacts, defaultAction, example, sample, isRemote: isRemote(type) };
  });
  const values = { guardrailTypes: described, piiEntityTitles, secretLabels };
  return Object.entries(values)
    .map(([key, value]) => `export const ${key} = ${JSON.stringify(value)};`)
    .join('\n');
}
