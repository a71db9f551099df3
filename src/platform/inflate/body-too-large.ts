import { ServiceError } from '../../contract/errors.ts';
import { shownBytes } from '../budgets/index.ts';

/** The error for a body above a limit of `maxBytes`. */
export function bodyTooLarge(measured: 'inflated' | 'sent', maxBytes: number): ServiceError {
  const most = shownBytes(maxBytes);
  const raise = 'or ask the operator for a larger SPANWISE_MAX_REQUEST_MIB';
  return new ServiceError(
    'payload_too_large',
    measured === 'sent'
      ? `The body has more than ${most}: compress it (content-encoding: gzip), shorten long inputs and outputs, divide the events between requests, ${raise}.`
      : `The body inflates to more than ${most}: shorten long inputs and outputs, divide the events between requests, ${raise}.`,
  );
}
