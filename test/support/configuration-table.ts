import { documentedVariables } from '../../src/config.ts';

/** README.md's table of variables. */
export function configurationTable(): string {
  const rows = documentedVariables().map(
    ({ name, default: byDefault, description }) =>
      `| \`${name}\` | ${byDefault === '' ? '–' : `\`${byDefault}\``} | ${description} |`,
  );
  return ['| variable | default | what it is |', '|---|---|---|', ...rows].join('\n');
}
