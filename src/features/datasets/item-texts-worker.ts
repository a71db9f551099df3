import { serveParent } from '../../platform/thread-rpc/index.ts';
import { contentsOfCsvRecord, contentsOfJsonLine } from './import-rows.ts';
import { readItemsRequest } from './payload-texts.ts';

/** What {@link ItemTexts} does in its thread. */
export const itemTextFunctions = { readItemsRequest, contentsOfJsonLine, contentsOfCsvRecord };

serveParent(() => itemTextFunctions);
