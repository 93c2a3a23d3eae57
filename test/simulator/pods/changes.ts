import { collectionsOf } from '@postroom/mail-store/access';
import { createDeadLetterStore } from '@postroom/mail-store/dead-letter-store';
import { ChangesServiceDefinition } from '@postroom/proto/postroom/v1/changes';
import { appendEvents } from '../../../services/changes/src/appending/append-events.ts';
import { createEmailStateStore } from '../../../services/changes/src/appending/email-state-store.ts';
import { createFeedStore } from '../../../services/changes/src/feed/change-store.ts';
import { createHandlers } from '../../../services/changes/src/handlers.ts';
import { createChangeWaiters } from '../../../services/changes/src/watching/change-waiters.ts';
import { simulatedCollections } from '../world/database.ts';
import type { OpenPod } from './pods.ts';

const AT_ONCE = 50;

/** As its service.ts opens it, without trimming: no run lasts for days. */
export const openChanges: OpenPod = async (pod, { broker, network }) => {
  const { context } = pod;
  const collections = collectionsOf(simulatedCollections(), 'changes');
  const changes = createFeedStore(collections);
  const changeWaiters = createChangeWaiters({ changes, context });
  network.serve(ChangesServiceDefinition, pod, createHandlers({ changes, changeWaiters }));
  await appendEvents(
    {
      changes,
      emails: createEmailStateStore(collections),
      changeWaiters,
      bus: broker.busOf(pod),
      deadLetters: createDeadLetterStore(collections),
      concurrency: AT_ONCE,
    },
    context,
  );
};
