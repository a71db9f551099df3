import { ServiceError } from '../../../contract/errors.ts';
import type { FixProposalsContext } from './fix-proposals-context.ts';

type Connection = NonNullable<Awaited<ReturnType<FixProposalsContext['models']['findConnection']>>>;

/**
 * The model connection of this name, else the project's only one; null when there is none or several.
 *
 * Errors: `invalid_request` for an unknown name.
 */
export async function chosenConnection(
  { models }: Pick<FixProposalsContext, 'models'>,
  projectId: string,
  name: string | undefined,
): Promise<Connection | null> {
  if (name === undefined) return models.soleConnection(projectId);
  const connection = await models.findConnectionNamed(projectId, name);
  if (connection) return connection;
  throw new ServiceError('invalid_request', 'The project has no model connection of this name; name one that it has.', {
    details: [{ path: '/connection', message: 'is not the name of a model connection' }],
  });
}

/** The error where {@link chosenConnection} finds none. */
export function noConnection(): ServiceError {
  return new ServiceError(
    'no_model_connection',
    'Create a model connection, or name one in connection where the project has several.',
  );
}
