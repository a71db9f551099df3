import { z } from 'zod';
import { maxKeyColumns } from './limits.ts';

/** Maximum values of a record in such a column. */
export const maxColumnValues = 5;

const name = z.string().max(400);

/** Query parameters of lists with columns of keys. */
export const keyColumnsQuery = {
  column: z
    .union([name.transform((one) => [one]), z.array(name).max(maxKeyColumns)], {
      error: `must be up to ${maxKeyColumns} keys, such as metadata.tenant`,
    })
    .optional()
    .describe(
      `a key of metadata or attributes, such as metadata.tenant, whose values each record of the answer has as columns; repeated for several, up to ${maxKeyColumns}`,
    ),
};

/** What a record of such a list has besides its fields. */
export const keyColumns = {
  columns: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe(
      `where column was sent: by its text up to ${maxColumnValues} values, each its first 200 characters; of a trace those of its own record and its root before those of other spans`,
    ),
};
