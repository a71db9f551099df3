export { goneSignal, inRequest, outsideRequests, requestSignal } from './request-scope.ts';
