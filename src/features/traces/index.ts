export { deleteExpired } from './delete-expired.ts';
export { traceRoutes } from './routes.ts';
