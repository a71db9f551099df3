import { z } from 'zod';
import type { NotificationType } from '../../../contract/notifications.ts';
import { cutText, escapeHtml } from '../../../platform/text/index.ts';

const titles: Readonly<Record<NotificationType, string>> = {
  'incident.opened': 'Incident opened',
  'incident.acknowledged': 'Incident acknowledged',
  'incident.resolved': 'Incident resolved',
  'model_lifecycle.raised': 'Model to be retired',
  test: 'Test',
};

/** Fields of incidents and findings that a mail lists, with their labels. */
const labels: ReadonlyArray<readonly [field: string, label: string]> = [
  ['scope', 'Scope'],
  ['environment', 'Environment'],
  ['value', 'Value'],
  ['peakValue', 'Worst value'],
  ['threshold', 'Threshold'],
  ['openedAt', 'Opened'],
  ['acknowledgedAt', 'Acknowledged'],
  ['resolvedAt', 'Resolved'],
  ['resolution', 'Resolution'],
  ['model', 'Model'],
  ['provider', 'Provider'],
  ['retiresOn', 'Retired on'],
  ['daysRemaining', 'Days left'],
  ['replacement', 'Replacement'],
];

const maxSubjectLength = 200;
const maxValueLength = 500;

const messageBody = z.object({
  data: z.looseObject({
    summary: z.string().optional(),
    rule: z.object({ name: z.string() }),
    project: z.object({ name: z.string() }),
    url: z.string(),
  }),
});

/**
 * The subject, text and HTML of a mail.
 *
 * @param body of the webhook about the same: JSON object {type, timestamp, data}
 */
export function mailContent(type: NotificationType, body: string): { subject: string; text: string; html: string } {
  const { data } = messageBody.parse(JSON.parse(body));
  const title = `${titles[type]}: ${line(data.rule.name)}`;
  const summary = data.summary === undefined ? [] : [line(data.summary)];
  const rows: Array<readonly [label: string, value: string]> = [
    ['Project', line(data.project.name)],
    ...labels.flatMap(([field, label]) => {
      const value = shown(data[field]);
      return value === '' ? [] : [[label, value] as const];
    }),
  ];
  const link = type.startsWith('incident.') ? 'Open the incident' : 'Open in Spanwise';
  return {
    subject: cutText(`[Spanwise] ${title}`, maxSubjectLength, '…'),
    text: [title, '', ...summary, ...rows.map(([label, value]) => `${label}: ${value}`), '', `${link}: ${data.url}`, ''].join(
      '\n',
    ),
    html: htmlOf({ title, summary, rows, link, url: data.url }),
  };
}

interface Content {
  title: string;
  summary: readonly string[];
  rows: ReadonlyArray<readonly [label: string, value: string]>;
  link: string;
  url: string;
}

function htmlOf({ title, summary, rows, link, url }: Content): string {
  const cells = rows.map(
    ([label, value]) =>
      `<tr><th align="left" style="padding-right:16px;font-weight:normal;color:#666">${escapeHtml(label)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  return [
    '<!doctype html><html><head><meta charset="utf-8"></head><body style="font-family:sans-serif">',
    `<h2>${escapeHtml(title)}</h2>`,
    ...summary.map((text) => `<p>${escapeHtml(text)}</p>`),
    `<table>${cells.join('')}</table>`,
    `<p><a href="${escapeHtml(url)}">${escapeHtml(link)}</a></p>`,
    '</body></html>',
  ].join('\n');
}

/** A value as a mail shows it; '' for none. */
function shown(value: unknown): string {
  if (typeof value === 'number') return String(Number(value.toPrecision(6)));
  return typeof value === 'string' ? line(value) : '';
}

/** One line of text: spans and their names come from applications, and could else add lines or turn their direction. */
function line(text: string): string {
  return cutText(
    text
      .replaceAll(/[\p{Bidi_Control}]/gu, '')
      .replaceAll(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
    maxValueLength,
    '…',
  );
}
