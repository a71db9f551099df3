import type { Evidence, EvidencePack, PackControl } from '../../../contract/evidence-packs.ts';
import { soc2 } from '../soc2.ts';
import { escapeText } from './escape-text.ts';
import { packStyle } from './pack-style.ts';

const statusWords = { evidenced: 'Evidenced', partial: 'Partial', none: 'None' } as const;

/**
 * A pack as one page that can be printed: without scripts and resources of its own or others. Records that several controls use are listed once.
 *
 * @param pack one that this service generated; its texts are untrusted
 */
export function packHtml(pack: EvidencePack): string {
  const listedUnder = new Map<string, string>();
  const title = `Evidence pack, ${soc2.name}, ${day(pack.from)} to ${day(pack.to)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)}</title>
<style>${packStyle}</style>
</head>
<body>
<h1>${escapeText(title)}</h1>
<p class="quiet">${escapeText(soc2.label)}. ${escapeText(soc2.reviewedBy)} Titles of controls are our own words.</p>
<h2>Pack</h2>
${factsOf(pack)}
<p class="quiet">This page shows the pack. What can be verified is the pack itself, the JSON file: send it to the service, or run
<code>spanwise verify-pack FILE --public-key KEY</code>, with the key from a source that you trust.</p>
<h2>Controls</h2>
<table>
<thead><tr><th scope="col">Control</th><th scope="col">Title</th><th scope="col">Status</th><th scope="col">Records</th></tr></thead>
<tbody>
${pack.controls.map(summaryRow).join('\n')}
</tbody>
</table>
<p class="quiet">Evidenced: every kind of record that this service has for the control holds records. Partial: some do, or records alone cannot show the
whole control. None: the service holds nothing about it.</p>
<h2>Evidence</h2>
${pack.controls.map((control) => controlSection(control, listedUnder)).join('\n')}
</body>
</html>
`;
}

function factsOf(pack: EvidencePack): string {
  const { audit } = pack;
  const facts: Array<[string, string]> = [
    ['Pack', code(pack.id)],
    ['Project', code(pack.projectId)],
    ['Range', `${escapeText(pack.from)} to ${escapeText(pack.to)}`],
    ['Generated', `${escapeText(pack.createdAt)} by ${bdi(pack.createdBy)}`],
    [
      'Audit log',
      `${audit.entries} entries of the organization in the range<br>first: ${audit.from.seq}, ${code(audit.from.hash)}<br>last: ${audit.to.seq}, ${code(audit.to.hash)}`,
    ],
    ['SHA-256', code(pack.sha256)],
    ['Signature (Ed25519)', code(pack.signature)],
    ['Public key', code(pack.publicKey)],
  ];
  return `<table class="facts"><tbody>${facts.map(([name, value]) => `<tr><th scope="row">${name}</th><td>${value}</td></tr>`).join('')}</tbody></table>`;
}

function summaryRow({ controlId, title, status, evidence }: PackControl): string {
  const records = evidence.reduce((sum, { count }) => sum + count, 0);
  const id = escapeText(controlId);
  const shown = evidence.length > 0 ? `<a href="#${id}">${id}</a>` : id;
  return `<tr><td>${shown}</td><td>${escapeText(title)}</td><td>${statusOf(status)}</td><td>${records}</td></tr>`;
}

function statusOf(status: PackControl['status']): string {
  return `<span class="status ${status}">${statusWords[status]}</span>`;
}

function controlSection({ controlId, title, status, evidence }: PackControl, listedUnder: Map<string, string>): string {
  if (evidence.length === 0) return '';
  const id = escapeText(controlId);
  const parts = evidence.map((one) => {
    const earlier = listedUnder.get(one.type);
    if (earlier === undefined) listedUnder.set(one.type, controlId);
    return evidencePart(one, earlier);
  });
  return `<section id="${id}"><h3>${id} ${escapeText(title)} &middot; ${statusOf(status)}</h3>\n${parts.join('\n')}</section>`;
}

function evidencePart({ type, description, count, from, to, sha256, sample }: Evidence, earlier: string | undefined): string {
  const records =
    earlier === undefined
      ? `<table class="records"><tbody>${sample.map(recordRow).join('')}</tbody></table>`
      : `<p>The records are listed under <a href="#${escapeText(earlier)}">${escapeText(earlier)}</a>.</p>`;
  return `<h4>${escapeText(type)}: ${count} ${count === 1 ? 'record' : 'records'}</h4>
<p>${escapeText(description)}</p>
<p class="quiet">${escapeText(from)} to ${escapeText(to)} &middot; SHA-256 of all records ${code(sha256)}</p>
${records}`;
}

function recordRow(record: Readonly<Record<string, unknown>>, index: number): string {
  const fields = Object.entries(record)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return `<span class="field"><b>${escapeText(name)}</b> ${bdi(text)}</span>`;
    });
  return `<tr><td class="number">${index + 1}</td><td>${fields.join(' ')}</td></tr>`;
}

/** A text in its own direction. */
function bdi(text: string): string {
  return `<bdi>${escapeText(text)}</bdi>`;
}

function code(text: string): string {
  return `<code>${escapeText(text)}</code>`;
}

function day(timestamp: string): string {
  return timestamp.slice(0, 10);
}
