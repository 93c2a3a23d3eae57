import { openMailStoreFor } from '@postroom/mail-store/connection';
import { storeSettings } from '@postroom/mail-store/store-fields';
import { MailboxSyncServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_sync';
import { MailboxReadServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_read';
import { connect } from '@postroom/rpc/connect';
import { implement } from '@postroom/rpc/definition';
import { serve } from '@postroom/rpc/serve';
import { serverAddress } from '@postroom/rpc/server-fields';
import { createBytesInFlight } from '@postroom/runtime/bytes-in-flight';
import { defineService } from '@postroom/runtime/service';
import { config, cursorSecret } from './config.ts';
import { createCursors } from './cursors/cursors.ts';
import { createWaitingWorkStore } from './waiting-work/waiting-work-store.ts';
import { createDecisionStore } from './decisions/decision-store.ts';
import { createSettingsStore } from './workspace-settings/settings-store.ts';
import { createSingleEmailStore } from './emails/email-store.ts';
import { createExplanationStore } from './explaining/explanation-store.ts';
import { createHandlers } from './handlers.ts';
import { createOriginalReader } from './originals/original-store.ts';
import { createPageStore } from './pages/page-store.ts';
import { createThreadListStore } from './threads/thread-list-store.ts';
import { createSanitiser } from './html/html-thread.ts';

const MEGABYTE = 1024 * 1024;

export const service = defineService({
  name: 'mailbox-read',
  config,
  async open(settings, context) {
    const { collections } = await openMailStoreFor(
      'mailbox-read',
      { ...storeSettings(settings), staleReads: true },
      context,
    );
    const sanitiser = createSanitiser();
    context.lifecycle.add('sanitiser', () => sanitiser.close());
    const handlers = createHandlers({
      context,
      cursors: createCursors(cursorSecret(settings)),
      counts: createWaitingWorkStore(collections),
      decisions: createDecisionStore(collections),
      settings: createSettingsStore(collections),
      emails: createSingleEmailStore(collections),
      explanations: createExplanationStore(collections),
      originals: createOriginalReader(collections),
      bytes: createBytesInFlight(settings.MEGABYTES_IN_FLIGHT * MEGABYTE),
      pages: createPageStore(collections),
      sanitiser,
      threads: createThreadListStore(collections),
      mailboxSync: connect(MailboxSyncServiceDefinition, settings.MAILBOX_SYNC_ADDR, { context }),
    });
    const services = [implement(MailboxReadServiceDefinition, handlers)];
    return serve({ address: serverAddress(settings), services, context });
  },
});
