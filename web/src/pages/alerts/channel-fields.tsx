import { Mail, Plus, Trash2, Webhook } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { Input } from '../../design/field.tsx';
import { Moment } from '../../design/figures.tsx';
import { ListInput } from '../../design/list-input.tsx';
import type { ChannelValue, FieldsProps } from './form-values.ts';

const maxChannels = 10;

function newChannel(type: ChannelValue['type']): ChannelValue {
  return { key: crypto.randomUUID(), type, to: [], url: '', secret: '', savedUrl: null, disabledAt: null };
}

/** The channels that the rule notifies. */
export function ChannelFields({ form: { channels }, onChange, errorAt, disabled }: FieldsProps): ReactNode {
  const change = (key: string, values: Partial<ChannelValue>) =>
    onChange({ channels: channels.map((channel) => (channel.key === key ? { ...channel, ...values } : channel)) });
  const add = (type: ChannelValue['type']) => onChange({ channels: [...channels, newChannel(type)] });
  const error = channels.length === 0 ? errorAt('/channels') : null;
  return (
    <Card
      title="Channels"
      aside={
        !disabled &&
        channels.length < maxChannels && (
          <span className="flex gap-2">
            <Button size="small" repeatable onClick={() => add('email')}>
              <Plus aria-hidden />
              Email
            </Button>
            <Button size="small" repeatable onClick={() => add('webhook')}>
              <Plus aria-hidden />
              Webhook
            </Button>
          </span>
        )
      }
    >
      {channels.length === 0 && <p className="p-3 text-ink-faint">No channels. Incidents are listed in the dashboard only.</p>}
      {error !== null && (
        <p role="alert" className="px-3 pb-3 text-bad">
          {error}
        </p>
      )}
      <ul>
        {channels.map((channel, index) => (
          <li key={channel.key} className="flex items-start gap-2 border-t border-line p-3 first:border-t-0">
            <Channel
              {...{ channel, disabled }}
              errorAt={(path) => errorAt(`/channels/${index}${path}`)}
              onChange={(values) => change(channel.key, values)}
            />
            {!disabled && (
              <IconButton
                label={`Remove channel ${index + 1}`}
                onClick={() => onChange({ channels: channels.filter(({ key }) => key !== channel.key) })}
              >
                <Trash2 aria-hidden />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface ChannelProps {
  channel: ChannelValue;
  disabled: boolean;
  errorAt(path: string): string | null;
  onChange(values: Partial<ChannelValue>): void;
}

function Channel({ channel, disabled, errorAt, onChange }: ChannelProps): ReactNode {
  const { type, to, url, secret, savedUrl, disabledAt } = channel;
  const keepsSecret = savedUrl !== null && savedUrl === url.trim();
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-2">
      {type === 'email' ? (
        <ListInput
          label="Email addresses"
          placeholder="on-call@example.com (Enter to add)"
          values={to}
          disabled={disabled}
          onValues={(values) => onChange({ to: values })}
          error={errorAt('/to') ?? errorAt('/type')}
        />
      ) : (
        <>
          <Input
            label="Webhook URL"
            type="url"
            placeholder="https://example.com/hooks/spanwise"
            value={url}
            disabled={disabled}
            spellCheck={false}
            onChange={(event) => onChange({ url: event.target.value })}
            error={errorAt('/url') ?? errorAt('/type')}
          />
          {!disabled && (
            <Input
              label="Secret"
              hint={
                keepsSecret ? 'Leave empty to keep the secret.' : 'Leave empty to generate one. It is shown once, after saving.'
              }
              placeholder="whsec_…"
              value={secret}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => onChange({ secret: event.target.value })}
              error={errorAt('/secret')}
            />
          )}
        </>
      )}
      {disabledAt !== null && (
        <p className="text-xs text-warn">
          Disabled <Moment iso={disabledAt} />: the receiver answered 410 Gone. Save the channels to enable it again.
        </p>
      )}
    </div>
  );
}

/** The kind of a channel as an icon. */
export function ChannelIcon({ type }: Pick<ChannelValue, 'type'>): ReactNode {
  return type === 'email' ? (
    <Mail className="size-3.5" aria-label="Email" />
  ) : (
    <Webhook className="size-3.5" aria-label="Webhook" />
  );
}
