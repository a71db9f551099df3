export { isCidr } from './address-policy.ts';
export type { AddressPolicy } from './address-policy.ts';
export { HttpClient } from './http-client.ts';
export type { IncomingAnswer, OutgoingRequest } from './http-client.ts';
export { NetError } from './net-error.ts';
