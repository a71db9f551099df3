import { z } from 'zod';
import { bareHost, isLoopback } from '../net/index.ts';

/** Where and as whom mail is sent. */
export interface MailSettings {
  /** See {@link isSmtpUrl}. */
  smtpUrl: string;
  /** See {@link isSender}. */
  from: string;
}

/** How to reach a mail server. */
export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the start; otherwise STARTTLS where the server offers it. */
  secure: boolean;
  auth: { user: string; pass: string } | null;
  /** The server is on this machine. */
  loopback: boolean;
}

export interface Sender {
  name: string;
  address: string;
}

/** Ports for submission (RFC 6409, RFC 8314). */
const defaultPorts = { 'smtp:': 587, 'smtps:': 465 } as const;

/** Whether a text is `smtp://` or `smtps://` with a host, and optionally a port, user and password. */
export function isSmtpUrl(text: string): boolean {
  return smtpServerOf(text) !== null;
}

/** The mail server that a URL names; null when it is not an {@link isSmtpUrl}. */
export function smtpServerOf(text: string): SmtpServer | null {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') || url.hostname === '') return null;
  if ((url.pathname !== '' && url.pathname !== '/') || url.search !== '' || url.hash !== '') return null;
  const host = bareHost(url.hostname);
  try {
    const user = decodeURIComponent(url.username);
    return {
      host,
      port: url.port === '' ? defaultPorts[url.protocol] : Number(url.port),
      secure: url.protocol === 'smtps:',
      auth: user === '' ? null : { user, pass: decodeURIComponent(url.password) },
      loopback: isLoopback(host),
    };
  } catch {
    return null;
  }
}

/** Whether a text is one email address, alone or as `Name <address>`. */
export function isSender(text: string): boolean {
  return senderOf(text) !== null;
}

/** The sender that a text names; null when it is not an {@link isSender}. */
export function senderOf(text: string): Sender | null {
  const named = /^(?<name>[^<>\p{Cc}]*)<(?<address>[^<>\p{Cc}]+)>$/u.exec(text.trim())?.groups;
  const { name = '', address = '' } = named ?? { address: text.trim() };
  const plain = /^"(?<quoted>[^"\\]*)"$/.exec(name.trim())?.groups?.['quoted'] ?? name.trim();
  return z.email().safeParse(address).success ? { name: plain, address } : null;
}
