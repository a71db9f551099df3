// How the command line verifies a pack without a service. Its commands are part of the SDK's package, so nothing here opens a store.
export { checkContentHash, checkKey, checkSignature } from './format/check-seal.ts';
export { envelopedPack } from './format/dsse.ts';
export { NoPack, readPack } from './format/read-pack.ts';
