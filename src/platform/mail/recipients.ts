/** Who may get mail: anyone, members of the organization, or addresses of these domains (lower case). */
export type MailRecipients = 'anyone' | 'members' | readonly string[];

const domain = /^@?([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/;

/** Whether a text is `anyone`, `members`, or domains with commas. */
export function isRecipients(text: string): boolean {
  return parse(text) !== null;
}

/** Who a text names. Errors: TypeError when it is not {@link isRecipients}. */
export function recipientsOf(text: string): MailRecipients {
  const parsed = parse(text);
  if (parsed === null) throw new TypeError('the text names no recipients');
  return parsed;
}

function parse(text: string): MailRecipients | null {
  const parts = text.split(',').map((part) => part.trim().toLowerCase());
  if (parts.length === 1 && (parts[0] === 'anyone' || parts[0] === 'members')) return parts[0];
  const domains = parts.map((part) => domain.exec(part)?.[1]);
  return domains.every((one) => one !== undefined) ? domains : null;
}

/** Whether an address is of one of some domains; subdomains are others. */
export function isOfDomain(address: string, domains: readonly string[]): boolean {
  return domains.includes(address.slice(address.lastIndexOf('@') + 1).toLowerCase());
}
