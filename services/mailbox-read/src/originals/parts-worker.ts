import { answerRequests } from '@postroom/runtime/worker-thread';
import { partsOf } from './parts.ts';
import type { PartsRequest } from './read-parts.ts';

// It runs in a thread of its own, so that no message can stop the service.
answerRequests(({ raw, asked }: PartsRequest) =>
  partsOf(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), asked),
);
