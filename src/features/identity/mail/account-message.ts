import type { Role } from '../../../contract/permissions.ts';
import { cutText, escapeHtml } from '../../../platform/text/index.ts';

const maxNameLength = 200;

export interface AccountMessage {
  subject: string;
  text: string;
  html: string;
}

/** The mail with the link of an invitation. Texts of people cannot add lines or markup to it. */
export function invitationMessage(input: { organization: string; role: Role; url: string }): AccountMessage {
  const organization = line(input.organization);
  return message({
    subject: `Invitation to ${organization} in Spanwise`,
    before: [`You are invited to the organization "${organization}" in Spanwise, as ${input.role}.`],
    link: 'Accept the invitation',
    url: input.url,
    after: [
      'The link works once, for 7 days. Who has it can accept the invitation: do not forward this mail.',
      'If you do not know who invited you, you need not do anything.',
    ],
  });
}

/** The mail with a link that sets a new password. */
export function resetMessage(input: { email: string; url: string }): AccountMessage {
  return message({
    subject: 'Your password in Spanwise',
    before: [`A new password was asked for the account ${line(input.email)} in Spanwise.`],
    link: 'Choose a new password',
    url: input.url,
    after: [
      'The link works once, for 30 minutes. A new password ends all sessions and personal access tokens of the account.',
      'If you did not ask for it, you need not do anything. Your password stays as it is.',
    ],
  });
}

function message(parts: { subject: string; before: string[]; link: string; url: string; after: string[] }): AccountMessage {
  const { subject, before, link, url, after } = parts;
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;
  return {
    subject,
    text: [...before, '', `${link}: ${url}`, '', ...after, ''].join('\n'),
    html: [
      '<!doctype html><html><head><meta charset="utf-8"></head><body style="font-family:sans-serif">',
      ...before.map(paragraph),
      `<p><a href="${escapeHtml(url)}">${escapeHtml(link)}</a></p>`,
      ...after.map(paragraph),
      '</body></html>',
    ].join('\n'),
  };
}

/** One line: names come from people, and could else turn the direction of the text. */
function line(text: string): string {
  return cutText(
    text
      .replaceAll(/\p{Bidi_Control}/gu, '')
      .replaceAll(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
    maxNameLength,
    '…',
  );
}
