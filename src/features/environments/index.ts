export type { AttachmentReaders, ReadAttached } from './environments-context.ts';
export { open } from './open.ts';
export type { EnvironmentsFeature } from './open.ts';
export { refuseInUse } from './read-attachments.ts';
