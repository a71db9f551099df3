import type { NodemailerError } from 'nodemailer/lib/errors';
import { cutText, storableText } from '../text/index.ts';

/** A message that the mail server did not take. Its message has no address of the server and no credentials. */
export class MailError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'MailError';
  }
}

/** Codes of Node and OpenSSL that nodemailer reports as errors of the socket. */
const tlsCodes = /CERT|SELF_SIGNED|UNABLE_TO_|^ERR_TLS|^ERR_SSL|^EPROTO$/;

const maxReplyLength = 200;

const sentences: Readonly<Record<string, string>> = {
  EAUTH: 'The mail server refused the user or password of SPANWISE_SMTP_URL.',
  ENOAUTH: 'The mail server needs a user and password in SPANWISE_SMTP_URL.',
  ETIMEDOUT: 'The mail server did not answer in time.',
  EDNS: 'The mail server of SPANWISE_SMTP_URL has no address.',
  ESOCKET: 'The mail server could not be reached.',
  ECONNECTION: 'The mail server closed the connection.',
  ETLS: 'The mail server has no TLS that can be used; its certificate must be valid.',
  EPROTOCOL: 'The mail server did not answer as one.',
};

/** Converts an error of nodemailer. The server's reply is part of the message where it is about this mail: who was refused, and why. */
export function mailErrorOf(error: unknown): MailError {
  const { code = '', originalCode = '', response, responseCode } = (error ?? {}) as Partial<NodemailerError>;
  const known = sentences[code === 'ESOCKET' && tlsCodes.test(originalCode) ? 'ETLS' : code];
  if (known !== undefined) return new MailError(known, error);
  const reply = response ?? (responseCode === undefined ? '' : String(responseCode));
  return new MailError(
    reply === '' ? 'The mail could not be sent.' : `The mail server refused the mail: ${shortReply(reply)}`,
    error,
  );
}

/** A reply of a mail server in one line of at most 200 characters. */
export function shortReply(reply: string): string {
  return cutText(storableText(reply.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()), maxReplyLength, '…');
}
