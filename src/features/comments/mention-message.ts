import { cutText, escapeHtml } from '../../platform/text/index.ts';

const maxNameLength = 200;

export interface MentionMessage {
  subject: string;
  text: string;
  html: string;
}

/** The mail to somebody who is mentioned. Texts of people cannot add lines or markup to its frame. */
export function mentionMessage(input: { author: string; project: string; body: string; url: string }): MentionMessage {
  const author = line(input.author) || 'Somebody';
  const head = `${author} mentioned you in a comment (project ${line(input.project)}):`;
  const body = input.body.replaceAll(/\p{Bidi_Control}/gu, '').trim();
  const end = 'You get this mail because the comment names your address.';
  return {
    subject: `${author} mentioned you in Spanwise`,
    text: [
      head,
      '',
      ...body.split(/\r\n|\r|\n/u).map((row) => `> ${row}`),
      '',
      `Open the comment: ${input.url}`,
      '',
      end,
      '',
    ].join('\n'),
    html: [
      '<!doctype html><html><head><meta charset="utf-8"></head><body style="font-family:sans-serif">',
      `<p>${escapeHtml(head)}</p>`,
      `<blockquote style="white-space:pre-wrap">${escapeHtml(body)}</blockquote>`,
      `<p><a href="${escapeHtml(input.url)}">Open the comment</a></p>`,
      `<p>${end}</p>`,
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
