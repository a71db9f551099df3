import { ServiceError } from '../../contract/errors.ts';

/** The place of an import error: the line from 1, and the field or, for a line that is not JSON, the character from 1. */
export interface ImportPlace {
  line: number;
  column?: string | number | undefined;
}

/**
 * The error that ends an import, which then stores nothing.
 *
 * @param problem completes a sentence that begins with the place
 * @param more further members of the answer
 */
export function importError({ line, column }: ImportPlace, problem: string, more: object = {}): ServiceError {
  const where =
    column === undefined ? `Line ${line}` : `Line ${line}, ${typeof column === 'number' ? 'character' : 'column'} ${column}`;
  return new ServiceError('invalid_request', `${where}: ${problem}. Nothing was imported; correct the file and send it again.`, {
    details: [{ path: column === undefined ? `/${line}` : `/${line}/${column}`, message: problem }],
    extra: { line, ...(column === undefined ? {} : { column }), ...more },
  });
}
