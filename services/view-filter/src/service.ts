import { openMailStore } from '@postroom/mail-store/connection';
import { storeSettings } from '@postroom/mail-store/store-fields';
import { ViewFilterServiceDefinition } from '@postroom/proto/postroom/v1/view_filter';
import { implement } from '@postroom/rpc/definition';
import { serve } from '@postroom/rpc/serve';
import { defineService } from '@postroom/runtime/service';
import { config } from './config.ts';
import { createInboxFilterHandlers } from './inbox-filters.ts';
import { createInboxFilterStore } from './inbox-filter-store.ts';
import { createLabelStore } from './label-store.ts';
import { createViewHandlers } from './views.ts';
import { createViewStore } from './view-store.ts';

export const service = defineService({
  name: 'view-filter',
  config,
  open: async (settings, context) => {
    const { collections } = await openMailStore(storeSettings(settings), context);
    const handlers = {
      ...createViewHandlers({ views: createViewStore(collections), context }),
      ...createInboxFilterHandlers({
        filters: createInboxFilterStore(collections),
        labels: createLabelStore(collections),
        context,
      }),
    };
    const { port } = await serve({
      address: `${settings.HOST}:${settings.GRPC_PORT}`,
      services: [implement(ViewFilterServiceDefinition, handlers)],
      context,
    });
    return { port };
  },
});
