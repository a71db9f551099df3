import { serveBatchBuilder } from '../trace-store/index.ts';
import { requestDecoder } from './decode-request.ts';

serveBatchBuilder(requestDecoder());
