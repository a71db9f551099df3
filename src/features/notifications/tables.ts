import type { ChannelRecord, NotificationType } from '../../contract/notifications.ts';

/** Where messages go. */
interface Destination {
  /** Of a webhook; null: an email channel. */
  url: string | null;
  sealed_secret: string | null;
  /** Of an email channel: JSON array. */
  addresses: string | null;
  /** Whether a webhook may reach what the operator allows beside public addresses: an owner or admin saved it. */
  reaches_private: boolean;
}

export interface ChannelRow extends Destination {
  id: string;
  project_id: string;
  rule_id: string;
  position: number;
  type: ChannelRecord['type'];
  disabled_at: Date | null;
  created_at: Date;
}

export interface NotificationTables {
  notification_channels: ChannelRow;
  notification_messages: {
    id: string;
    project_id: string;
    type: NotificationType;
    incident_id: string | null;
    body: string;
    created_at: Date;
  };
  notification_deliveries: Destination & {
    id: string;
    project_id: string;
    rule_id: string;
    message_id: string;
    channel_id: string;
    /** JSON array of attempts. */
    history: string;
    lane: ChannelRecord['type'];
    status: 'queued' | 'running' | 'delivered' | 'failed';
    attempts: number;
    run_at: Date;
    lease_until: Date | null;
    lease_id: string | null;
    error: string | null;
    created_at: Date;
    started_at: Date | null;
    finished_at: Date | null;
  };
}

declare module '../../platform/postgres/tables.ts' {
  interface Tables extends NotificationTables {}
}
