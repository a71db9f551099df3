import { documentedVariables } from '../../src/config.ts';

/** The table of variables in docs/guides/configuration.md. */
export function configurationTable(): string {
  const rows = documentedVariables().map(
    ({ name, default: byDefault, description }) =>
      `| \`${name}\` | ${byDefault === '' ? '–' : `\`${byDefault}\``} | ${description} |`,
  );
  return ['| variable | default | what it is |', '|---|---|---|', ...rows].join('\n');
}
