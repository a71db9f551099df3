import type { SMTPPoolOptions } from 'nodemailer/lib/smtp-pool';
import { MailError, mailErrorOf, shortReply } from './mail-error.ts';
import { senderOf, smtpServerOf } from './mail-settings.ts';
import type { MailSettings } from './mail-settings.ts';

export interface MailMessage {
  /** Addresses without names. */
  to: readonly string[];
  subject: string;
  text: string;
  html: string;
  dateMs: number;
  /** Part of the Message-ID before the `@`: the same each time a message is sent again. */
  id: string;
  /** Messages with the same thread are shown together. */
  thread: string | null;
}

/** What became of a message that the server took. */
export interface SentMail {
  /** Why some of the addresses did not get it; null: all did. */
  refused: string | null;
}

export interface MailerOptions extends MailSettings {
  /** For one message, connecting included, in milliseconds; default 30 s. */
  timeoutMs?: number;
}

const defaultTimeoutMs = 30_000;
/** Concurrent connections to the mail server. */
const maxConnections = 4;

/**
 * Sends mail through one SMTP server. Connections are opened when needed, reused, and closed when idle. With a password TLS is required, except on
 * this machine; certificates are checked, except on this machine.
 */
export class Mailer {
  readonly #options: MailerOptions;
  #opened: ReturnType<typeof openTransport> | null = null;
  #closed = false;

  constructor(options: MailerOptions) {
    this.#options = options;
  }

  /** Sends one message to all its addresses. Errors: {@link MailError} when no address got it. */
  async send(message: MailMessage, signal: AbortSignal): Promise<SentMail> {
    const { timeoutMs = defaultTimeoutMs } = this.#options;
    const { transport, from } = await (this.#opened ??= openTransport(this.#options));
    if (this.#closed) throw new MailError('The service is shutting down.');
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), timeoutMs);
    const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
    const idOf = (part: string) => `<${part}@${domain}>`;
    const thread = message.thread === null ? {} : { inReplyTo: idOf(message.thread), references: [idOf(message.thread)] };
    try {
      const sent = await transport.sendMail({
        from,
        to: message.to.map((address) => ({ name: '', address })),
        envelope: { from: from.address, to: [...message.to] },
        subject: message.subject,
        text: message.text,
        html: message.html,
        date: new Date(message.dateMs),
        messageId: idOf(message.id),
        ...thread,
        // RFC 3834: no automatic answers.
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.any([limit.signal, signal]),
      });
      const refusals = sent.rejectedErrors ?? [];
      const reasons = refusals.map(({ recipient, response }) => `${recipient ?? ''}: ${shortReply(response ?? '')}`);
      return { refused: reasons.length === 0 ? null : `Some addresses were refused. ${reasons.join('; ')}` };
    } catch (error) {
      if (limit.signal.aborted)
        throw new MailError(`The mail server did not take the mail within ${timeoutMs / 1000} seconds.`, error);
      throw mailErrorOf(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes every connection; messages in progress fail. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#opened?.then(
      ({ transport }) => transport.close({ force: true }),
      () => undefined,
    );
  }
}

/** Loads nodemailer, which a service that sends no mail does not hold: 23 MB. */
async function openTransport({ smtpUrl, from, timeoutMs = defaultTimeoutMs }: MailerOptions) {
  const server = smtpServerOf(smtpUrl);
  const sender = senderOf(from);
  if (!server || !sender) throw new MailError('SPANWISE_SMTP_URL or SPANWISE_MAIL_FROM cannot be used.');
  const options: SMTPPoolOptions & { pool: true } = {
    pool: true,
    maxConnections,
    // The caller tries again.
    maxRequeues: 0,
    host: server.host,
    port: server.port,
    secure: server.secure,
    requireTLS: server.auth !== null && !server.loopback,
    tls: { rejectUnauthorized: !server.loopback },
    ...(server.auth ? { auth: server.auth } : {}),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  const { createTransport } = await import('nodemailer');
  return { transport: createTransport(options), from: sender };
}
