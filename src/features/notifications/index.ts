export type { ChannelSaver } from './check-channels.ts';
export type { Notification, NotifiedRule } from './notify.ts';
export { open } from './open.ts';
export type { NotificationsFeature } from './open.ts';
export { refusedWebhooks } from './refused-webhooks.ts';
