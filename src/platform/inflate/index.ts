export { bodyTooLarge } from './body-too-large.ts';
export { Inflater } from './inflater.ts';
