/** Which column of a file becomes which part of an item; empty for none. */
export interface ImportMapping {
  input: string;
  expectedOutput: string;
  externalId: string;
  /** Whether all other columns become metadata. */
  otherColumns: boolean;
}

const usualNames = {
  input: ['input', 'question', 'prompt', 'query', 'text', 'instruction', 'message', 'user'],
  expectedOutput: ['expectedoutput', 'expected', 'output', 'answer', 'reference', 'groundtruth', 'target', 'response', 'label'],
  externalId: ['externalid', 'id', 'itemid', 'key', 'uuid'],
} as const;

/** A first guess for the columns of a file by their names; without a usual name the first column is the input. */
export function guessedMapping(columns: readonly string[]): ImportMapping {
  const named = (part: keyof typeof usualNames) => {
    const plain = columns.map((name) => name.toLowerCase().replaceAll(/[\s_-]/g, ''));
    for (const usual of usualNames[part]) {
      const index = plain.indexOf(usual);
      if (index >= 0) return columns[index] ?? '';
    }
    return '';
  };
  const [expectedOutput, externalId] = [named('expectedOutput'), named('externalId')];
  const input = named('input') || (columns.find((name) => name !== expectedOutput && name !== externalId) ?? '');
  return { input, expectedOutput, externalId, otherColumns: true };
}

/** The parameter `columns` of an import. */
export function columnsParameter(mapping: ImportMapping, columns: readonly string[]): string {
  const { input, expectedOutput, externalId, otherColumns } = mapping;
  const others = columns.filter((name) => name !== '' && ![input, expectedOutput, externalId].includes(name)).slice(0, 100);
  return JSON.stringify({
    input,
    ...(expectedOutput === '' ? {} : { expectedOutput }),
    ...(externalId === '' ? {} : { externalId }),
    ...(otherColumns && others.length > 0 ? { metadata: others } : {}),
  });
}

/** The columns that a refused import names, if it did so because of them. */
export function columnsOf(error: { body: Readonly<Record<string, unknown>> }): string[] | null {
  const { columns } = error.body;
  return Array.isArray(columns) && columns.every((name) => typeof name === 'string') ? columns : null;
}
