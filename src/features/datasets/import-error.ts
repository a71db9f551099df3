import { ServiceError } from '../../contract/errors.ts';

/** Where an import cannot go on: the 1-based line of the file, and the field, or the 1-based character of a line that is not JSON. */
export interface ImportPlace {
  line: number;
  column?: string | number | undefined;
}

/** The refusal of an import, which then stores nothing; it names the place. @param problem the end of a sentence that begins with the place */
export function importError({ line, column }: ImportPlace, problem: string): ServiceError {
  const where =
    column === undefined ? `Line ${line}` : `Line ${line}, ${typeof column === 'number' ? 'character' : 'column'} ${column}`;
  return new ServiceError('invalid_request', `${where}: ${problem}. Nothing was imported; correct the file and send it again.`, {
    details: [{ path: column === undefined ? `/${line}` : `/${line}/${column}`, message: problem }],
    extra: { line, ...(column === undefined ? {} : { column }) },
  });
}
