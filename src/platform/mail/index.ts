export { MailError } from './mail-error.ts';
export { isSender, isSmtpUrl } from './mail-settings.ts';
export type { MailSettings } from './mail-settings.ts';
export { isOfDomain, isRecipients, recipientsOf } from './recipients.ts';
export type { MailRecipients } from './recipients.ts';
export { Mailer } from './mailer.ts';
export type { MailMessage } from './mailer.ts';
