export type { Proposal } from './create-proposal.ts';
export { open } from './open.ts';
export type { PromptsFeature, StoredVersion } from './open.ts';
export { messagesOf, storedPrompt } from './stored-prompt.ts';
export { productionLabel } from './source-reader.ts';
export { fillVariables, templateNames } from './template-names.ts';
