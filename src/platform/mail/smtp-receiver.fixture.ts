import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { simpleParser } from 'mailparser';
import type { ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** As sent. */
  raw: string;
  parsed: ParsedMail;
  secure: boolean;
}

export interface SmtpReceiver {
  port: number;
  received: ReceivedMail[];
  /** Replies of 550 to these recipients. */
  refused: Set<string>;
  close(): Promise<void>;
}

/** A mail server on a loopback address. By default it takes any user and offers no TLS. */
export async function openSmtpReceiver(options: SMTPServerOptions = {}, port = 0): Promise<SmtpReceiver> {
  const received: ReceivedMail[] = [];
  const refused = new Set<string>();
  const server = new SMTPServer({
    authOptional: true,
    // Also no warning about the built-in certificate.
    logger: false,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    closeTimeout: 50,
    onAuth: ({ username }, _session, done) => done(null, { user: username }),
    onRcptTo: ({ address }, _session, done) =>
      done(refused.has(address) ? Object.assign(new Error(`5.1.1 ${address} is unknown`), { responseCode: 550 }) : null),
    onData: (stream, session, done) => {
      const { mailFrom, rcptTo } = session.envelope;
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8');
        void simpleParser(raw).then((parsed) => {
          received.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            raw,
            parsed,
            secure: session.secure,
          });
          done();
        });
      });
    },
    ...options,
  });
  // A client that breaks off.
  server.on('error', () => undefined);
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    refused,
    close: () => new Promise((resolve) => void server.close(resolve)),
  };
}
