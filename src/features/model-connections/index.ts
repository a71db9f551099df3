export type { ResponseSchema } from './ask/answer-format.ts';
export type { JsonObject } from './ask/json-object-in-text.ts';
export type { ChatMessage, ModelAnswer, ModelClient, ModelObjectAnswer, ModelQuestion } from './ask/model-client.ts';
export { ModelError } from './ask/model-error.ts';
export { modelParameters } from './ask/model-parameters.ts';
export type { ModelParameters } from './ask/model-parameters.ts';
export { open } from './open.ts';
export { refusedConnections } from './refused-connections.ts';
