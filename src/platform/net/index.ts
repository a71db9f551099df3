export { isCidr } from './address-policy.ts';
export type { AddressPolicy } from './address-policy.ts';
export { bareHost } from './guarded-connector.ts';
export type { MakeConnector, Resolve } from './guarded-connector.ts';
export { checkAddress, refusedUrls } from './check-address.ts';
export { HttpClient } from './http-client.ts';
export type { HttpClientOptions, IncomingAnswer, OutgoingRequest } from './http-client.ts';
export { NetError } from './net-error.ts';
