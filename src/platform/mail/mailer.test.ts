import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MailError } from './mail-error.ts';
import { Mailer } from './mailer.ts';
import type { MailerOptions, MailMessage } from './mailer.ts';
import { openSmtpReceiver } from './smtp-receiver.fixture.ts';
import type { SmtpReceiver } from './smtp-receiver.fixture.ts';

const message: MailMessage = {
  to: ['a@example.com', 'b@example.org'],
  subject: 'Fünf Fehler',
  text: 'Text',
  html: '<p>HTML</p>',
  dateMs: Date.UTC(2026, 10, 22, 10),
  id: 'delivery-1',
  thread: 'incident-1',
};
const never = new AbortController().signal;
const opened: Array<{ close(): unknown }> = [];
let receiver: SmtpReceiver;

beforeEach(async () => {
  receiver = await openSmtpReceiver();
  opened.push(receiver);
});
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

function mailerTo(port: number, options: Partial<MailerOptions> = {}): Mailer {
  const mailer = new Mailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: 'Spanwise <spanwise@example.net>', ...options });
  opened.push(mailer);
  return mailer;
}
const failure = async (sending: Promise<unknown>): Promise<string> => {
  const error = await sending.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof MailError)) throw new Error('no MailError', { cause: error });
  return error.message;
};

describe('a mail', () => {
  it('goes to every address, with stable ids and no automatic answers', async () => {
    const sent = await mailerTo(receiver.port).send(message, never);
    expect(sent).toEqual({ refused: null });
    const [mail, ...more] = receiver.received;
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ from: 'spanwise@example.net', to: message.to });
    expect(mail?.parsed).toMatchObject({
      subject: message.subject,
      text: expect.stringContaining('Text'),
      html: '<p>HTML</p>',
      messageId: '<delivery-1@example.net>',
      inReplyTo: '<incident-1@example.net>',
      references: '<incident-1@example.net>',
      date: new Date(message.dateMs),
      from: { text: '"Spanwise" <spanwise@example.net>' },
      to: { text: 'a@example.com, b@example.org' },
    });
    expect(mail?.parsed.headers.get('auto-submitted')).toBe('auto-generated');
  });

  it('has no other headers or recipients than those given, whatever its texts hold', async () => {
    const hostile = 'x\r\nBcc: evil@example.com\r\n\r\nbody\u0000\u2028';
    await mailerTo(receiver.port).send({ ...message, subject: hostile, text: '.\r\nRCPT TO:<evil@example.com>\r\n.\r\n' }, never);
    const [mail] = receiver.received;
    expect(mail?.to).toEqual(message.to);
    expect([...(mail?.parsed.headers.keys() ?? [])].toSorted()).toEqual([
      'auto-submitted',
      'content-type',
      'date',
      'from',
      'in-reply-to',
      'message-id',
      'mime-version',
      'references',
      'subject',
      'to',
    ]);
  });

  it('does not fetch or read what its content names', async () => {
    const content = { path: '/etc/passwd' } as unknown as string;
    expect(await failure(mailerTo(receiver.port).send({ ...message, text: content }, never))).toBe('The mail could not be sent.');
    expect(receiver.received).toEqual([]);
  });

  it('that some addresses refuse reaches the others, and tells who refused', async () => {
    receiver.refused.add('b@example.org');
    const { refused } = await mailerTo(receiver.port).send(message, never);
    expect(refused).toMatch(/^Some addresses were refused. b@example.org: 550 .*unknown/);
    expect(receiver.received[0]?.to).toEqual(['a@example.com']);
  });

  it('that every address refuses is not sent, and the reply says why', async () => {
    for (const address of message.to) receiver.refused.add(address);
    expect(await failure(mailerTo(receiver.port).send(message, never))).toMatch(/^The mail server refused the mail: 550 /);
  });
});

describe('connections', () => {
  it('are reused, and opened anew when the server was away', async () => {
    const mailer = mailerTo(receiver.port);
    await mailer.send(message, never);
    await receiver.close();
    expect(await failure(mailer.send(message, never))).toMatch(/could not be reached|closed the connection/);
    const back = await openSmtpReceiver({}, receiver.port);
    opened.push(back);
    await mailer.send(message, never);
    expect(back.received).toHaveLength(1);
  });

  it('use STARTTLS where it is offered; on this machine the certificate is not checked', async () => {
    const server = await openSmtpReceiver({ disabledCommands: [] });
    opened.push(server);
    await mailerTo(server.port).send(message, never);
    expect(server.received.map(({ secure }) => secure)).toEqual([true]);
  });

  it('to another machine need a certificate that can be trusted, and TLS where there is a password', async () => {
    const server = await openSmtpReceiver({ disabledCommands: [] });
    opened.push(server);
    // Connects to this machine, but is no loopback address.
    const untrusted = mailerTo(server.port, { smtpUrl: `smtp://0.0.0.0:${server.port}` });
    expect(await failure(untrusted.send(message, never))).toMatch(/no TLS that can be used/);
    const plain = mailerTo(receiver.port, { smtpUrl: `smtp://user:hunter2@0.0.0.0:${receiver.port}` });
    expect(await failure(plain.send(message, never))).toMatch(/no TLS that can be used/);
    expect([...server.received, ...receiver.received]).toEqual([]);
    const withoutPassword = mailerTo(receiver.port, { smtpUrl: `smtp://0.0.0.0:${receiver.port}` });
    await withoutPassword.send(message, never);
    expect(receiver.received).toHaveLength(1);
  });

  it('use TLS from the start with smtps', async () => {
    const server = await openSmtpReceiver({ secure: true });
    opened.push(server);
    await mailerTo(server.port, { smtpUrl: `smtps://127.0.0.1:${server.port}` }).send(message, never);
    expect(server.received.map(({ secure }) => secure)).toEqual([true]);
  });

  it('send the decoded user and password; a refusal names the setting and neither of them', async () => {
    const seen: Array<string | undefined> = [];
    const server = await openSmtpReceiver({
      onAuth: ({ username, password }, _session, done) => {
        seen.push(`${username}:${password}`);
        done(password === 'p@ss' ? null : new Error('hunter2 is wrong'), { user: 'u' });
      },
    });
    opened.push(server);
    await mailerTo(server.port, { smtpUrl: `smtp://us%3Aer:p%40ss@127.0.0.1:${server.port}` }).send(message, never);
    const wrong = mailerTo(server.port, { smtpUrl: `smtp://user:hunter2@127.0.0.1:${server.port}` });
    const error = await failure(wrong.send(message, never));
    expect(error).toBe('The mail server refused the user or password of SPANWISE_SMTP_URL.');
    expect(seen).toEqual(['us:er:p@ss', 'user:hunter2']);
  });

  it('to a server that does not answer are given up, and end when the caller or the mailer ends', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    opened.push({
      close: () => {
        for (const socket of sockets) socket.destroy();
        silent.close();
      },
    });
    expect(await failure(mailerTo(port, { timeoutMs: 200 }).send(message, never))).toMatch(/did not (answer|take the mail)/);
    const caller = new AbortController();
    const aborted = failure(mailerTo(port).send(message, caller.signal));
    await once(silent, 'connection');
    caller.abort();
    expect(await aborted).toBe('The mail could not be sent.');
    const mailer = mailerTo(port);
    const closed = failure(mailer.send(message, never));
    await once(silent, 'connection');
    await mailer.close();
    expect(await closed).toMatch(/mail/);
    expect(await failure(mailer.send(message, never))).toBe('The service is shutting down.');
  });
});
