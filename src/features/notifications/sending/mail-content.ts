import { z } from 'zod';
import { alertTypes } from '../../../contract/alert-types/index.ts';
import { figureText } from '../../../contract/alert-types/figure-text.ts';
import type { NotificationType } from '../../../contract/notifications.ts';
import { cutText, escapeHtml } from '../../../platform/text/index.ts';

const titles: Readonly<Record<NotificationType, string>> = {
  'incident.opened': 'Incident opened',
  'incident.acknowledged': 'Incident acknowledged',
  'incident.reopened': 'Incident opened again',
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
    rule: z.object({ name: z.string(), type: z.string().optional().catch(undefined) }),
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
      const value = figures.has(field) ? figure(data.rule.type, data[field]) : shown(data[field]);
      return value === '' ? [] : [[label, value] as const];
    }),
    ...durationOf(data),
    ...changesOf(data['changes']),
    ...tracesOf(data['sampleTraceIds'], data.url),
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

const figures: ReadonlySet<string> = new Set(['value', 'peakValue', 'threshold']);
/** Changes and traces of a mail. */
const maxListed = 5;

/** A figure in the unit of its rule. */
function figure(type: string | undefined, value: unknown): string {
  const known = type !== undefined && Object.hasOwn(alertTypes, type) ? alertTypes[type as keyof typeof alertTypes] : undefined;
  return typeof value === 'number' && known ? figureText(known.unit, value) : shown(value);
}

type Row = readonly [label: string, value: string];

/** How long an incident has lasted that is over. */
function durationOf({ openedAt, resolvedAt }: Readonly<Record<string, unknown>>): Row[] {
  if (typeof openedAt !== 'string' || typeof resolvedAt !== 'string') return [];
  const minutes = Math.round((Date.parse(resolvedAt) - Date.parse(openedAt)) / 60_000);
  if (!Number.isFinite(minutes) || minutes < 0) return [];
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  const parts = [days > 0 ? `${days} d` : '', hours > 0 ? `${hours} h` : '', minutes % 60 > 0 ? `${minutes % 60} min` : ''];
  return [['Duration', parts.filter(Boolean).join(' ') || 'under a minute']];
}

/** The changes before the incident, the latest first. */
function changesOf(changes: unknown): Row[] {
  if (!Array.isArray(changes)) return [];
  return changes.slice(0, maxListed).map((change: Record<string, unknown>) => {
    const what = [change['kind'], change['service'], change['version'], change['description']].map(shown).filter(Boolean);
    return ['Change before', `${what.join(' ')} (${shown(change['at'])})`] as const;
  });
}

/** Links to the worst traces, beside the page of the incident. */
function tracesOf(traceIds: unknown, url: string): Row[] {
  if (!Array.isArray(traceIds) || !URL.canParse(url)) return [];
  return traceIds
    .slice(0, maxListed)
    .flatMap((id) =>
      typeof id === 'string' ? [['Worst trace', new URL(`../traces/${encodeURIComponent(id)}`, url).href] as const] : [],
    );
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
