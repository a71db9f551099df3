export { describeFaults, joinInstallation, readStoreFacts } from './join-installation.ts';
export { judgeStores } from './judge-stores.ts';
export { refuseMissing } from './refuse-missing.ts';
export { FirstStartError } from './first-start-error.ts';
export { InstallationError, storeNamed, storeNames } from './store-names.ts';
export type { StoreName } from './store-names.ts';
