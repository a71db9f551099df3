import { serveParent } from '../../../platform/thread-rpc/index.ts';
import { readAnswer } from './read-answer.ts';

/** What {@link AnswerReader} does in its thread. */
export const answerFunctions = { readAnswer };

serveParent(() => answerFunctions);
