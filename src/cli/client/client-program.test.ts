import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clientProgram } from './client-program.ts';
import { recordedIo, runClient } from './command-io.fixture.ts';
import { placesOf } from './completion/places.ts';
import type { Place } from './completion/places.ts';

const document = readFileSync(join(import.meta.dirname, '../../../docs/cli.md'), 'utf8');
const places = placesOf(clientProgram(recordedIo())).filter(({ path }) => path !== '');
/** The sections by command; `''` is what all commands share. */
const sections = new Map(
  document.split(/^### spanwise /m).map((text, index) => [index === 0 ? '' : (text.split('\n')[0] ?? ''), text]),
);
const optionsIn = (text: string) => [...text.matchAll(/(?<=[`\s[(|])--[a-z][a-z0-9-]*/g)].map(([option]) => option);
const namesOf = ({ options }: Place) =>
  options.flatMap(({ names }) => names).filter((name) => name.startsWith('--') && name !== '--help');
const commandOf = ({ path }: Place) => path.split(' ')[1] ?? '';

describe('docs/cli.md', () => {
  test('has a section for each command', () => {
    expect([...sections.keys()].toSorted()).toEqual(['', ...new Set(places.map(commandOf))].toSorted());
  });

  test.each(places.map((place) => [place.path, place] as const))('names every option of%s', (path, place) => {
    const section = sections.get(commandOf(place)) ?? '';
    expect(section).toContain(`spanwise${path}`);
    const named = new Set([...optionsIn(section), ...optionsIn(sections.get('') ?? '')]);
    expect(namesOf(place).filter((name) => !named.has(name))).toEqual([]);
  });

  test('names no option that a command does not have', () => {
    for (const [command, section] of sections) {
      const known = new Set(places.filter((place) => command === '' || commandOf(place) === command).flatMap(namesOf));
      expect(
        optionsIn(section).filter((option) => !known.has(option) && !['--help', '--silent'].includes(option)),
        command,
      ).toEqual([]);
    }
  });
});

test.each([
  [[], 2],
  [['--help'], 0],
  [['--version'], 0],
  [['traces', '--help'], 0],
  [['help', 'prompt'], 0],
  [['nothing'], 2],
  [['prompt'], 2],
  [['prompt', 'pull', '--no-such-option', 'x'], 2],
  [['whoami', 'too many'], 2],
])('%j exits with %i', async (parameters, code) => {
  expect((await runClient(parameters)).code).toBe(code);
});
