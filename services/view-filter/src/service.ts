import { createAuditStore } from '@postroom/mail-store/audit-store';
import { openMailStoreFor } from '@postroom/mail-store/connection';
import { storeSettings } from '@postroom/mail-store/store-fields';
import { ViewFilterServiceDefinition } from '@postroom/proto/postroom/v1/view_filter';
import { audited } from '@postroom/rpc/audited';
import { implement } from '@postroom/rpc/definition';
import { serve } from '@postroom/rpc/serve';
import { serverAddress } from '@postroom/rpc/server-fields';
import { defineService } from '@postroom/runtime/service';
import { viewFilterAudit } from './audit/audit.ts';
import { config } from './config.ts';
import { createHandlers } from './handlers.ts';
import { createInboxFilterStore } from './inbox-filters/inbox-filter-store.ts';
import { createLivingLabelStore } from './inbox-filters/living-label-store.ts';
import { createKnownMailboxStore } from './views/known-mailbox-store.ts';
import { createViewStore } from './views/view-store.ts';

export const service = defineService({
  name: 'view-filter',
  config,
  async open(settings, context) {
    const { collections } = await openMailStoreFor('view-filter', storeSettings(settings), context);
    const trail = createAuditStore(collections, context.clock);
    const handlers = createHandlers({
      context,
      views: createViewStore(collections),
      knownMailboxes: createKnownMailboxStore(collections),
      filters: createInboxFilterStore(collections),
      labels: createLivingLabelStore(collections),
    });
    const services = [
      implement(ViewFilterServiceDefinition, audited<ViewFilterServiceDefinition>(handlers, viewFilterAudit, trail)),
    ];
    return serve({ address: serverAddress(settings), services, context });
  },
});
