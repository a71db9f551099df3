import type { Delivery } from '../../api/service.ts';

export const deliveryTitles: Readonly<Record<Delivery['type'], string>> = {
  'incident.opened': 'Incident opened',
  'incident.acknowledged': 'Incident acknowledged',
  'incident.reopened': 'Incident opened again',
  'incident.resolved': 'Incident resolved',
  'model_lifecycle.raised': 'Model retirement',
  test: 'Test',
};

/** The result of an attempt in words. */
export function attemptText(channel: Delivery['channel']['type'], { statusCode, error }: Delivery['attempts'][number]): string {
  if (error === null) return channel === 'email' ? 'Accepted by the mail server' : `Status ${statusCode ?? 'unknown'}`;
  return statusCode === null || error.includes(String(statusCode)) ? error : `Status ${statusCode}: ${error}`;
}
