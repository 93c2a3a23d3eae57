import { openMailStore } from '@postroom/mail-store/connection';
import { storeSettings } from '@postroom/mail-store/store-fields';
import { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { ViewFilterServiceDefinition } from '@postroom/proto/postroom/v1/view_filter';
import { connect } from '@postroom/rpc/connect';
import { implement } from '@postroom/rpc/definition';
import { serve } from '@postroom/rpc/serve';
import { defineService } from '@postroom/runtime/service';
import { config } from './config.ts';
import { startForgetting } from './forgetting.ts';
import { createLabelHandlers } from './label-handlers.ts';
import { createLabelStore, createTombstoneStore } from './label-store.ts';

const LATER = [
  'listAiLabelRules',
  'getAiLabelRule',
  'createAiLabelRule',
  'updateAiLabelRule',
  'deleteAiLabelRule',
  'backfillAiLabels',
  'listAutoForwardRules',
  'getAutoForwardRule',
  'createAutoForwardRule',
  'updateAutoForwardRule',
  'deleteAutoForwardRule',
  'listAutoForwardLogs',
] as const;

export const service = defineService({
  name: 'label-rule',
  config,
  async open(settings, context) {
    const { HOST, GRPC_PORT, MAILBOX_WRITE_ADDR, VIEW_FILTER_ADDR } = settings;
    const { collections } = await openMailStore(storeSettings(settings), context);
    const labels = createLabelStore(collections);
    const mailboxWrite = connect(MailboxWriteServiceDefinition, MAILBOX_WRITE_ADDR, { context });
    const viewFilter = connect(ViewFilterServiceDefinition, VIEW_FILTER_ADDR, { context });
    context.lifecycle.add('peers', () => {
      mailboxWrite.close();
      viewFilter.close();
    });

    const tombstones = createTombstoneStore(collections);
    const forgetting = startForgetting({ labels, tombstones, mailboxWrite, viewFilter, context });
    context.lifecycle.add('forgetting', () => forgetting.close());

    const handlers = createLabelHandlers({ labels, forgetting, context });
    const { port } = await serve({
      address: `${HOST}:${GRPC_PORT}`,
      services: [implement(LabelRuleServiceDefinition, handlers, LATER)],
      context,
    });
    return { port };
  },
});
